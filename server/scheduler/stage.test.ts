import { describe, expect, it } from 'vitest';
import { nextDeadline } from './deadline.ts';
import { World } from './testing.ts';

describe('the stage', () => {
  it('shows questions before notices before progress, at most three', () => {
    const world = new World();
    const [progress, notice, question, last] = world
      .batch([
        world.createEvent('a', 'progress'),
        world.createEvent('b', 'notice'),
        world.createEvent('c', 'interaction'),
        world.createEvent('d', 'interaction'),
      ])
      .map((outcome) => (outcome.kind === 'request' ? outcome.requestId : null));
    expect(world.onStage()).toEqual(expect.arrayContaining([question, last, notice]));
    expect(world.onStage()).not.toContain(progress);
  });

  it('shows one question per client at most, however much room there is', () => {
    const world = new World();
    const first = world.create('a', 'interaction');
    world.create('a', 'interaction');
    expect(world.onStage()).toEqual([first]);
  });

  it('gives each client one card when another waits: its progress folds first, then its notice', () => {
    const world = new World();
    const progress = world.create('a', 'progress');
    const notice = world.create('a', 'notice');
    const question = world.create('a', 'interaction');
    world.paint();
    expect(world.onStage()).toEqual(expect.arrayContaining([progress, notice, question]));
    const b = world.create('b', 'notice');
    expect(world.onStage()).toEqual(expect.arrayContaining([question, notice, b]));
    const c = world.create('c', 'notice');
    expect(world.onStage()).toEqual(expect.arrayContaining([question, b, c]));
    expect(world.record(progress).status).toBe('running');
  });

  it('leaves cards in their slots when others come and go', () => {
    const world = new World();
    const [a, b, c] = ['a', 'b', 'c'].map((client) => world.create(client, 'interaction'));
    expect(world.state.slots).toEqual([a, b, c]);
    world.run({ type: 'dismiss', requestId: a! });
    expect(world.state.slots).toEqual([null, b, c]);
    const d = world.create('d', 'notice');
    expect(world.state.slots).toEqual([d, b, c]);
  });

  it('stops the display time of a folded notice', () => {
    const world = new World();
    const notice = world.create('a', 'notice');
    world.paint();
    world.pass(2_000);
    for (const client of ['b', 'c', 'd']) world.create(client, 'interaction');
    expect(world.onStage()).not.toContain(notice);
    world.pass(60_000);
    expect(world.record(notice).status).toBe('running');
    world.run({ type: 'dismiss', requestId: world.onStage()[0]! });
    world.paint();
    world.pass(3_999);
    expect(world.record(notice).status).toBe('running');
    world.pass(1);
    expect(world.record(notice).status).toBe('completed');
  });

  it('never folds the card under the pointer', () => {
    const world = new World();
    const progress = world.create('a', 'progress');
    world.paint();
    world.run({ type: 'hold', requestId: progress });
    for (const client of ['b', 'c', 'd']) world.create(client, 'interaction');
    expect(world.onStage()).toContain(progress);
    world.run({ type: 'hold', requestId: null });
    expect(world.onStage()).not.toContain(progress);
  });

  it('brings a waiting card on stage when the user leafs to it', () => {
    const world = new World();
    for (const client of ['b', 'c', 'd']) world.create(client, 'interaction');
    const progress = world.create('a', 'progress');
    expect(world.onStage()).not.toContain(progress);
    world.run({ type: 'leaf' });
    expect(world.onStage()).toContain(progress);
  });

  it.each([
    ['progress', 30_000],
    ['interaction', 120_000],
  ] as const)('takes turns: a %s card that waits gets its place after %d ms', (kind, turnMs) => {
    const world = new World();
    for (const client of ['a', 'b', 'c']) world.create(client, kind);
    world.paint();
    world.nowMs = 10;
    const waiting = world.create('d', kind);
    expect(world.onStage()).not.toContain(waiting);
    expect(nextDeadline(world.state, world.now(), world.limits)).toBe(turnMs);
    world.pass(turnMs);
    expect(world.onStage()).toContain(waiting);
    expect(world.onStage()).toHaveLength(3);
  });

  it('changes nothing when planned twice at one instant', () => {
    const world = new World();
    for (const client of ['a', 'b', 'c', 'd']) world.create(client, 'progress');
    const before = world.state.slots;
    world.pass(0);
    expect(world.state.slots).toEqual(before);
    expect(world.last?.writes.size).toBe(0);
  });
});
