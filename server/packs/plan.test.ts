/** What must be installed, and in which order. */
import { describe, expect, it } from 'vitest';
import { planInstall } from './plan.ts';
import { TEST_MANIFEST } from './testing.ts';
import type { InstalledPack, OfferedPack, Wardrobe } from './types.ts';

const offer = (name: string, ...requires: string[]): OfferedPack => {
  const [id, version] = name.split('@') as [string, string];
  const rest = {
    displayName: 'X',
    description: 'X',
    license: 'MIT',
    file: `${id}.zip`,
    size: 1,
    sha256: '0'.repeat(64),
  };
  return { index: 'here', id, version, requires, ...rest };
};
const installed = (name: string, usable = true): InstalledPack => {
  const [id, version] = name.split('@') as [string, string];
  const manifest = usable ? { ...TEST_MANIFEST, id, version } : null;
  return { id, version, folder: '', manifest, reason: usable ? null : 'broken' };
};
const wearing = (...names: string[]): Wardrobe => ({
  name: 'default',
  folder: '',
  isActive: true,
  packs: Object.fromEntries(names.map((name) => name.split('@'))),
  current: null,
  follows: [],
  reason: null,
});

function plan(targets: string[], offered: OfferedPack[], have: InstalledPack[] = [], wardrobe = wearing()) {
  const { packs, present } = planInstall(targets, offered, have, wardrobe);
  return { packs: packs.map(({ id, version }) => `${id}@${version}`), present };
}

const GHOSTS = [offer('org.a.ghost@1.0.0'), offer('org.a.ghost@1.10.0'), offer('org.a.ghost@1.9.0')];

describe('a plan', () => {
  it.each([
    ['ghost', 'org.a.ghost@1.10.0'],
    ['org.a.ghost', 'org.a.ghost@1.10.0'],
    ['org.a:ghost@latest', 'org.a.ghost@1.10.0'],
    ['org.a:ghost@1.9', 'org.a.ghost@1.9.0'],
    ['ghost@1', 'org.a.ghost@1.10.0'],
    ['ghost@1.0.0', 'org.a.ghost@1.0.0'],
  ])('for %s is %s', (target, expected) => {
    expect(plan([target], GHOSTS)).toEqual({ packs: [expected], present: [] });
  });

  it.each([
    ['nobody', 'E_NOT_FOUND', /nobody: no index offers it/],
    ['ghost@2', 'E_NOT_FOUND', /ghost@2: no index offers this version/],
    ['ghost@1.1', 'E_NOT_FOUND', /this version/],
    ['cat', 'E_INVALID_INPUT', /any of org\.a:cat, org\.b:cat/],
  ])('for %s is refused with %s', (target, code, reason) => {
    const offered = [...GHOSTS, offer('org.a.cat@1.0.0'), offer('org.b.cat@1.0.0')];
    expect(() => plan([target], offered)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(reason) }),
    );
  });

  it('has what is required first, each once', () => {
    const offered = [
      offer('org.a.top@1.0.0', 'org.a.left', 'org.a.right@2'),
      offer('org.a.left@1.0.0', 'org.a.base@1'),
      offer('org.a.right@1.0.0'),
      offer('org.a.right@2.1.0', 'org.a.base'),
      offer('org.a.base@1.0.0'),
    ];
    expect(plan(['top', 'base'], offered).packs).toEqual([
      'org.a.base@1.0.0',
      'org.a.left@1.0.0',
      'org.a.right@2.1.0',
      'org.a.top@1.0.0',
    ]);
  });

  it('refuses a circle and names it, and a requirement nobody offers', () => {
    const offered = [
      offer('org.a.x@1.0.0', 'org.a.y'),
      offer('org.a.y@1.0.0', 'org.a.z'),
      offer('org.a.z@1.0.0', 'org.a.y@1'),
    ];
    expect(() => plan(['x'], offered)).toThrow(/org\.a\.y → org\.a\.z → org\.a\.y/);
    expect(() => plan(['x'], offered.slice(0, 2))).toThrow(/org\.a:y@1\.0\.0 requires org\.a\.z/);
  });

  it('refuses a chain without end', () => {
    const offered = Array.from({ length: 100 }, (_, n) => offer(`org.a.p${n}@1.0.0`, `org.a.p${n + 1}`));
    expect(() => plan(['p0'], offered)).toThrow(/more than 64 packs/);
  });

  it('leaves alone what the wardrobe has in this version or a newer one', () => {
    expect(plan(['ghost'], GHOSTS, [installed('org.a.ghost@1.10.0')], wearing('org.a.ghost@1.10.0'))).toEqual({
      packs: [],
      present: ['org.a:ghost@1.10.0'],
    });
    expect(plan(['ghost'], GHOSTS, [installed('org.a.ghost@2.0.0')], wearing('org.a.ghost@2.0.0')).packs).toEqual([]);
    expect(plan(['ghost'], [], [installed('org.a.ghost@2.0.0')], wearing('org.a.ghost@2.0.0')).packs).toEqual([]);
  });

  it('has what is older, broken, or only in another wardrobe', () => {
    const newest = ['org.a.ghost@1.10.0'];
    expect(plan(['ghost'], GHOSTS, [installed('org.a.ghost@1.0.0')], wearing('org.a.ghost@1.0.0')).packs).toEqual(
      newest,
    );
    expect(
      plan(['ghost'], GHOSTS, [installed('org.a.ghost@1.10.0', false)], wearing('org.a.ghost@1.10.0')).packs,
    ).toEqual(newest);
    expect(plan(['ghost'], GHOSTS, [installed('org.a.ghost@1.10.0')]).packs).toEqual(newest);
  });

  it('leaves alone a requirement that is met', () => {
    const offered = [offer('org.a.top@1.0.0', 'org.a.base@1'), offer('org.a.base@1.5.0')];
    const met = plan(['top'], offered, [installed('org.a.base@1.0.0')], wearing('org.a.base@1.0.0'));
    expect(met.packs).toEqual(['org.a.top@1.0.0']);
    const unmet = plan(['top'], offered, [installed('org.a.base@0.9.0')], wearing('org.a.base@0.9.0'));
    expect(unmet.packs).toEqual(['org.a.base@1.5.0', 'org.a.top@1.0.0']);
  });
});
