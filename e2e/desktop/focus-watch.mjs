// A thread that asks an X server, again and again, who has the keyboard: { display, everyMs } → { focus, at } at each change.
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

const { display, everyMs } = workerData;
const x11 = createRequire(import.meta.url)('x11');
let samples = 0;
let last;
let lastAt;
let longestGapMs = 0;
const changes = [];

x11.createClient({ display }, (error, connected) => {
  if (error) throw error;
  const X = connected.client;
  const look = (then = () => {}) => {
    X.GetInputFocus((_, { focus }) => {
      const at = performance.timeOrigin + performance.now();
      if (lastAt !== undefined) longestGapMs = Math.max(longestGapMs, at - lastAt);
      lastAt = at;
      samples += 1;
      if (focus !== last) changes.push({ focus, at });
      last = focus;
      then();
    });
  };
  look(() => parentPort.postMessage('watching'));
  const timer = setInterval(look, everyMs);
  parentPort.once('message', () => {
    clearInterval(timer);
    look(() => {
      parentPort.postMessage({ samples, longestGapMs, changes });
      X.terminate();
    });
  });
});
