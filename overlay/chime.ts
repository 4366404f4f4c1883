/** Plays one short soft sound for a tone, made of sines; while all is silent there is no audio at all, and nothing wakes up. */
import type { Tone } from '../server/protocol/words.ts';

interface Note {
  readonly hz: number;
  readonly atMs: number;
  readonly ms: number;
}

/** No sound is longer than a quarter of a second. */
export const CHIMES: Readonly<Record<Tone, readonly Note[]>> = {
  information: [{ hz: 784, atMs: 0, ms: 180 }],
  success: [
    { hz: 659, atMs: 0, ms: 110 },
    { hz: 988, atMs: 90, ms: 160 },
  ],
  warning: [
    { hz: 698, atMs: 0, ms: 110 },
    { hz: 587, atMs: 100, ms: 150 },
  ],
  error: [
    { hz: 440, atMs: 0, ms: 120 },
    { hz: 349, atMs: 100, ms: 150 },
  ],
};

const PEAK_GAIN = 0.06;
const ATTACK_MS = 12;
/** Near enough to silence for an exponential curve. */
const SILENCE = 0.0001;
/** A browser that does not let us play keeps its clock still: then the sound is dropped. */
const GIVE_UP_MS = 1_000;

function playNote(context: AudioContext, { hz, atMs, ms }: Note): OscillatorNode {
  const from = context.currentTime + atMs / 1_000;
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(SILENCE, from);
  gain.gain.exponentialRampToValueAtTime(PEAK_GAIN, from + ATTACK_MS / 1_000);
  gain.gain.exponentialRampToValueAtTime(SILENCE, from + ms / 1_000);
  const oscillator = new OscillatorNode(context, { type: 'sine', frequency: hz });
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(from);
  oscillator.stop(from + ms / 1_000);
  return oscillator;
}

/** Plays `tone`; resolves when it is over and its audio is closed. Never rejects: a sound that cannot be is not missed. */
export async function chime(tone: Tone): Promise<void> {
  const context = new AudioContext({ latencyHint: 'playback' });
  try {
    const last = CHIMES[tone].map((note) => playNote(context, note)).at(-1)!;
    await new Promise<void>((done) => {
      last.onended = () => done();
      setTimeout(done, GIVE_UP_MS);
    });
    await context.close();
  } catch {
    // No audio device, most likely.
  }
}
