/** Tells when a change is on screen: one animation frame and one macrotask later, measured to be when its pixels are out (R4). */

/** Runs `run` once, after the next frame has been produced. Never waits for a second frame. */
export function afterPaint(run: () => void): void {
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      run();
    };
    port2.postMessage(null);
  });
}
