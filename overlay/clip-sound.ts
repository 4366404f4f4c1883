/** Plays the sound a character's clip brings, once and softly; while all is silent there is no audio at all. */

/** As loud as the page's own chimes. */
const VOLUME = 0.3;
/** A pack's sound accompanies a clip; what is longer is cut off, and what never begins is dropped. */
const MAX_MS = 10_000;

/** Plays what lies at `address`; resolves when it is over and its audio is given back. Never rejects: a sound that cannot be is not missed. */
export async function playSound(address: string): Promise<void> {
  let url = '';
  const audio = new Audio();
  try {
    const response = await fetch(address);
    if (!response.ok) return;
    // From memory, and decoded bit by bit: a small file may hold hours.
    url = URL.createObjectURL(await response.blob());
    audio.volume = VOLUME;
    audio.src = url;
    const over = new Promise<void>((done) => {
      for (const name of ['ended', 'error'] as const) audio.addEventListener(name, () => done(), { once: true });
      setTimeout(done, MAX_MS);
    });
    await audio.play();
    await over;
  } catch {
    // No audio device, or no sound in it.
  } finally {
    audio.pause();
    audio.removeAttribute('src');
    audio.load();
    URL.revokeObjectURL(url);
  }
}
