import { describe, expect, it } from 'vitest';
import type { Scene, SceneClip } from '../server/protocol/link.ts';
import { DEFAULT_SETTINGS } from '../server/protocol/settings.ts';
import { FileTrouble } from './file-trouble.ts';
import type { Sprite } from './sprite.ts';
import { type Backstage, choosePart, createStage } from './stage.ts';

const HOME = '/overlay/characters/org.example.home/a/';
const GUEST = '/overlay/characters/org.example.guest/a/';
const clip = (extra: Partial<SceneClip> = {}): SceneClip => ({
  requestId: 'r1',
  folder: HOME,
  clip: 'cheer',
  loops: 2,
  ...extra,
});
const scene = (extra: Partial<Scene> = {}): Scene => ({
  seq: 1,
  settings: DEFAULT_SETTINGS,
  sight: 'clear',
  missed: 0,
  character: HOME,
  catalogRevision: 1,
  clip: null,
  mood: { clip: 'idle', name: 'idle' },
  greetClip: 'wave',
  dragClip: 'dangle',
  cards: [],
  waiting: 0,
  sessions: [],
  pairing: null,
  pairingsWaiting: 0,
  resultRetentionMs: 86_400_000,
  armMs: 0,
  ...extra,
});
const backstage = (extra: Partial<Backstage> = {}): Backstage => ({
  greeted: true,
  dragged: false,
  endedId: null,
  ...extra,
});

describe('the part to play', () => {
  it.each<[string, Scene, Backstage, string | undefined]>([
    ['the mood', scene(), backstage(), 'idle'],
    ['the greeting, once', scene(), backstage({ greeted: false }), 'wave'],
    ['no greeting where there is none', scene({ greetClip: null }), backstage({ greeted: false }), 'idle'],
    ['the drag before the greeting', scene(), backstage({ greeted: false, dragged: true }), 'dangle'],
    ["a request's clip before all", scene({ clip: clip() }), backstage({ greeted: false, dragged: true }), 'cheer'],
    ['the mood after the clip has ended', scene({ clip: clip() }), backstage({ endedId: 'r1' }), 'idle'],
    ['nothing while only notices may be seen', scene({ clip: clip(), sight: 'notices' }), backstage(), undefined],
    ['nothing while out of sight', scene({ clip: clip(), sight: 'none' }), backstage(), undefined],
    [
      'nothing while hidden',
      scene({ clip: clip(), settings: { ...DEFAULT_SETTINGS, hidden: true } }),
      backstage(),
      undefined,
    ],
  ])('is %s', (_, subject, known, expected) => {
    expect(choosePart(subject, known)?.clip).toBe(expected);
  });

  it('comes from the folder of its own character', () => {
    expect(choosePart(scene({ clip: clip({ folder: GUEST }) }), backstage())?.folder).toBe(GUEST);
  });
});

/** A sprite that only takes notes; `begin` and `end` are those of what it plays. */
function stubSprite(broken: readonly string[], atOnce: boolean) {
  const log: string[] = [];
  let begin: ((sound: string | null) => void) | undefined;
  let end: (() => void) | undefined;
  const sprite: Sprite = {
    canvas: {} as HTMLCanvasElement,
    load: async (folder) => {
      log.push(`load ${folder}`);
      if (broken.includes(folder)) throw new FileTrouble('sheet.png', null);
    },
    play: (name, loops, reports = {}) => {
      log.push(`play ${name} ${loops}`);
      begin = reports.onBegin;
      end = reports.onEnd;
      if (atOnce) begin?.(null);
    },
    setStill: () => undefined,
    setRunning: (running) => log.push(running ? 'run' : 'stop'),
    setScale: () => undefined,
    wantedSize: () => null,
    fetchRest: () => undefined,
    close: () => undefined,
  };
  return { sprite, log, begin: (sound: string | null = null) => begin?.(sound), end: () => end?.() };
}

const settled = () =>
  new Promise<void>((resolve) => queueMicrotask(() => queueMicrotask(() => queueMicrotask(resolve))));

function stageOf({ broken = [] as readonly string[], atOnce = true } = {}) {
  const stub = stubSprite(broken, atOnce);
  const told: string[] = [];
  const stage = createStage(stub.sprite, {
    onShown: (id) => told.push(`shown ${id}`),
    onEnded: (id) => told.push(`ended ${id}`),
    onSound: (address) => told.push(`sound ${address}`),
    onTrouble: (folder, file) => told.push(`trouble ${folder}${file}`),
    onReady: () => told.push('ready'),
  });
  return { ...stub, told, stage };
}

describe('the stage', () => {
  it('greets once, then goes on with the mood, undisturbed by further scenes', async () => {
    const { stage, log, end } = stageOf();
    stage.show(scene());
    await settled();
    end();
    stage.show(scene({ seq: 2 }));
    expect(log.filter((line) => line.startsWith('play'))).toEqual(['play wave 1', 'play idle null']);
  });

  it("reports a request's clip shown and ended, and does not play it again while the scene still names it", async () => {
    const { stage, log, told, end } = stageOf();
    stage.show(scene({ greetClip: null }));
    await settled();
    stage.show(scene({ greetClip: null, clip: clip() }));
    expect(told).toEqual(['ready', 'shown r1']);
    end();
    stage.show(scene({ greetClip: null, clip: clip() }));
    expect(told).toEqual(['ready', 'shown r1', 'ended r1']);
    expect(log.filter((line) => line === 'play cheer 2')).toHaveLength(1);
  });

  it('gives the place to another character for its clip, and back', async () => {
    const { stage, log, told, end } = stageOf();
    stage.show(scene({ greetClip: null }));
    await settled();
    stage.show(scene({ greetClip: null, clip: clip({ folder: GUEST }) }));
    expect(told).toEqual(['ready']);
    await settled();
    expect(told).toEqual(['ready', 'shown r1']);
    end();
    await settled();
    expect(log.filter((line) => line.startsWith('load'))).toEqual([`load ${HOME}`, `load ${GUEST}`, `load ${HOME}`]);
    expect(log.at(-1)).toBe('play idle null');
  });

  it('says so when a character does not load, and claims nothing shown', async () => {
    const { stage, told } = stageOf({ broken: [GUEST] });
    stage.show(scene({ clip: clip({ folder: GUEST }) }));
    await settled();
    expect(told).toEqual([`trouble ${GUEST}sheet.png`, 'ready']);
  });

  it('claims nothing shown, and is not ready, before the first picture is drawn', async () => {
    const { stage, told, begin } = stageOf({ atOnce: false });
    stage.show(scene({ clip: clip({ folder: GUEST }) }));
    await settled();
    expect(told).toEqual([]);
    begin();
    expect(told).toEqual(['shown r1', 'ready']);
  });

  it('stops every timer while hidden', async () => {
    const { stage, log } = stageOf();
    stage.show(scene());
    await settled();
    stage.show(scene({ seq: 2, settings: { ...DEFAULT_SETTINGS, hidden: true } }));
    expect(log.at(-1)).toBe('stop');
  });

  describe('when another character is chosen', () => {
    const other = (extra: Partial<Scene> = {}) => scene({ seq: 2, character: GUEST, ...extra });
    const plays = (log: readonly string[]) => log.filter((line) => /^(load|play)/.test(line)).slice(2);

    it('lets a clip that runs end, then the new one comes and greets', async () => {
      const { stage, log, end } = stageOf();
      stage.show(scene({ greetClip: null, clip: clip() }));
      await settled();
      stage.show(other({ clip: clip() }));
      await settled();
      expect(plays(log)).toEqual([]);
      end();
      await settled();
      expect(plays(log)).toEqual([`load ${GUEST}`, 'play wave 1']);
    });

    it('lets a greeting end too', async () => {
      const { stage, log, end } = stageOf();
      stage.show(scene());
      await settled();
      stage.show(other());
      await settled();
      expect(plays(log)).toEqual([]);
      end();
      await settled();
      expect(plays(log)[0]).toBe(`load ${GUEST}`);
    });

    it('takes the place of one that rests at once', async () => {
      const { stage, log } = stageOf();
      stage.show(scene({ greetClip: null }));
      await settled();
      stage.show(other({ greetClip: null }));
      await settled();
      expect(plays(log)).toEqual([`load ${GUEST}`, 'play idle null']);
    });

    it('does not greet in another version of itself', async () => {
      const { stage, log, end } = stageOf();
      stage.show(scene());
      await settled();
      end();
      stage.show(scene({ seq: 2, character: HOME.replace('/a/', '/b/') }));
      await settled();
      expect(log.filter((line) => line === 'play wave 1')).toHaveLength(1);
      expect(log.at(-1)).toBe('play idle null');
    });

    it('one that cannot be loaded leaves the place to the next', async () => {
      const { stage, log, told } = stageOf({ broken: [GUEST] });
      stage.show(scene({ greetClip: null }));
      await settled();
      stage.show(other());
      await settled();
      expect(told.at(-1)).toBe(`trouble ${GUEST}sheet.png`);
      stage.show(scene({ seq: 3, greetClip: null }));
      await settled();
      expect(log.at(-1)).toBe('play idle null');
    });
  });

  it('tells of a sound that comes with what was asked for, and never with a mood', async () => {
    const { stage, told, begin } = stageOf({ atOnce: false });
    stage.show(scene({ greetClip: null }));
    await settled();
    begin('hum.ogg');
    stage.show(scene({ greetClip: null, clip: clip() }));
    begin('hop.ogg');
    expect(told.filter((line) => line.startsWith('sound'))).toEqual(['sound hop.ogg']);
  });
});
