import { describe, expect, it } from 'vitest';
import { nextDeadline } from './deadline.ts';
import { World } from './testing.ts';

const KINDS = ['notice', 'progress', 'interaction', 'animation'] as const;

describe('out of sight', () => {
  it.each([
    ['none', []],
    ['notices', ['notice']],
    ['clear', ['notice', 'progress', 'interaction', 'animation']],
  ] as const)('%s accepts every kind and lets stand only %j', (sight, standing) => {
    const world = new World();
    world.see(sight);
    const ids = KINDS.map((kind) => world.create('a', kind));
    world.paint();
    const shown = KINDS.filter((_, index) => world.record(ids[index]!).displayedAt !== null);
    expect(new Set(shown)).toEqual(new Set(standing));
    for (const id of ids) expect(world.record(id).endedAt).toBeNull();
  });

  it('folds what stands, changes nothing a client can see, and brings all of it back', () => {
    const world = new World();
    const ids = KINDS.map((kind) => world.create('a', kind));
    world.paint();
    const before = ids.map((id) => world.record(id));
    world.see('none');
    expect([world.onStage(), world.state.sprite]).toEqual([[], null]);
    world.see('clear');
    expect(new Set([...world.onStage(), world.state.sprite])).toEqual(new Set(ids));
    world.paint();
    expect(ids.map((id) => world.record(id))).toEqual(before);
  });

  it('stops the display time of a notice, which has the rest of it afterwards', () => {
    const world = new World();
    const id = world.create('a', 'notice');
    world.paint();
    world.pass(4_000);
    world.see('none');
    world.pass(100_000);
    world.see('clear');
    world.paint();
    world.pass(1_999);
    expect(world.record(id).status).toBe('running');
    world.pass(1);
    expect(world.record(id)).toMatchObject({ status: 'completed', reason: 'displayed' });
  });

  it('leaves a notice that comes back at least a second', () => {
    const world = new World();
    const id = world.create('a', 'notice');
    world.paint();
    world.pass(5_990);
    world.see('none');
    world.see('clear');
    world.paint();
    world.pass(999);
    expect(world.record(id).status).toBe('running');
    world.pass(1);
    expect(world.record(id).status).toBe('completed');
  });

  it('lets deadlines run', () => {
    const world = new World();
    world.see('none');
    const ids = KINDS.map((kind) => world.create('a', kind, { timeoutMs: 30_000 }));
    expect(nextDeadline(world.state, world.now(), world.limits)).toBe(30_000);
    world.pass(30_000);
    for (const id of ids) expect(world.record(id)).toMatchObject({ status: 'expired', displayedAt: null });
  });

  it('sends a clip back to wait; it is played from its beginning, with its whole time', () => {
    const world = new World();
    const clip = world.create('a', 'animation', { timeoutMs: 600_000 });
    world.paint();
    world.pass(world.limits.maxAnimationMs - 1);
    world.see('notices');
    expect(world.record(clip)).toMatchObject({ status: 'running', revision: 2 });
    world.run({ type: 'clipEnded', requestId: clip });
    world.pass(60_000);
    world.see('clear');
    expect(world.state.sprite).toBe(clip);
    world.paint();
    world.pass(world.limits.maxAnimationMs - 1);
    expect(world.record(clip).status).toBe('running');
    world.run({ type: 'clipEnded', requestId: clip });
    expect(world.record(clip)).toMatchObject({ status: 'completed', reason: 'clip_ended' });
  });

  it('lets go of a card that was held, which then folds and returns like any other', () => {
    const world = new World();
    const id = world.create('a', 'notice');
    world.paint();
    world.run({ type: 'hold', requestId: id });
    world.see('none');
    expect([world.state.held, world.onStage()]).toEqual([null, []]);
    world.see('clear');
    world.paint();
    world.pass(6_000);
    expect(world.record(id).status).toBe('completed');
  });

  it('leaves a held notice held where notices may stand', () => {
    const world = new World();
    const id = world.create('a', 'notice');
    world.paint();
    world.run({ type: 'hold', requestId: id });
    world.see('notices');
    world.pass(60_000);
    expect([world.state.held, world.record(id).status]).toEqual([id, 'running']);
  });

  it('leafs only to what may stand', () => {
    const world = new World();
    world.see('notices');
    const question = world.create('a', 'interaction');
    world.run({ type: 'leaf' });
    world.see('clear');
    expect(world.state.leafed).toBeNull();
    expect(world.onStage()).toEqual([question]);
  });

  it('that ends within a turn has not happened', () => {
    const world = new World();
    const id = world.create('a', 'notice');
    world.paint();
    world.batch([
      { type: 'sight', sight: 'none' },
      { type: 'sight', sight: 'clear' },
    ]);
    world.pass(6_000);
    expect(world.record(id).reason).toBe('displayed');
  });
});

describe('out of sight and hidden are apart', () => {
  it('hiding cancels what waits out of sight; showing again does not bring sight back, nor the other way round', () => {
    const world = new World();
    world.see('none');
    const first = world.create('a', 'interaction');
    world.run({ type: 'settings', patch: { hidden: true } });
    expect(world.record(first)).toMatchObject({ status: 'cancelled', reason: 'hidden' });
    world.see('clear');
    expect(world.run(world.createEvent('a', 'notice'))).toMatchObject({
      kind: 'refused',
      refusal: { details: { reason: 'hidden' } },
    });
    world.see('none');
    world.run({ type: 'settings', patch: { hidden: false } });
    const second = world.create('a', 'interaction');
    expect(world.onStage()).toEqual([]);
    world.see('clear');
    expect(world.onStage()).toEqual([second]);
  });

  it('pausing cancels what waits out of sight', () => {
    const world = new World();
    world.see('none');
    const id = world.create('a', 'progress');
    world.run({ type: 'settings', patch: { paused: true } });
    expect(world.record(id)).toMatchObject({ status: 'cancelled', reason: 'paused' });
  });

  it('a new overlay finds the sight as it was', () => {
    const world = new World();
    world.see('none');
    const id = world.create('a', 'interaction');
    world.run({ type: 'overlay', state: 'starting' });
    world.run({ type: 'overlay', state: 'up' });
    expect(world.onStage()).toEqual([]);
    world.see('clear');
    expect(world.onStage()).toEqual([id]);
  });
});
