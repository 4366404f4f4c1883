/** A capability becomes the character's own clip, a declared substitute if allowed, or nothing. */
import { describe, expect, test } from 'vitest';
import { TEST_MANIFEST, testCharacter } from '../packs/testing.ts';
import { canDo, catalogDigest, moodClips, resolveClip } from './resolve.ts';

const resolve = (capability: string, allowSubstitute = false, characterId: string = TEST_MANIFEST.id) =>
  resolveClip([testCharacter], { characterId, capability, allowSubstitute });

describe('resolveClip', () => {
  test('takes the declared clip', () => {
    expect(resolve('animation.greet')).toEqual({
      kind: 'clip',
      character: 'test.dot',
      clip: 'hop',
      resolvedCapability: 'animation.greet',
      substituteReason: null,
    });
  });

  test('takes a clip that was matched by its name', () => {
    expect(resolve('animation.work')).toMatchObject({ kind: 'clip', clip: 'idle' });
  });

  test('takes the substitute and tells of it, only when the caller allows', () => {
    expect(resolve('animation.celebrate')).toEqual({ kind: 'unsupported' });
    expect(resolve('animation.celebrate', true)).toEqual({
      kind: 'clip',
      character: 'test.dot',
      clip: 'hop',
      resolvedCapability: 'animation.greet',
      substituteReason: 'Dot can only hop.',
    });
  });

  test('prefers the own clip though a substitute is allowed', () => {
    expect(resolve('animation.greet', true)).toMatchObject({ substituteReason: null });
  });

  test.each(['animation.sleep', 'animation.think', 'constructor', 'toString'])('does not support %s', (capability) => {
    expect(resolve(capability, true)).toEqual({ kind: 'unsupported' });
  });

  test('knows no character of another ID', () => {
    expect(resolve('animation.greet', true, 'test.none')).toEqual({ kind: 'unknown_character' });
  });

  test('goes through one substitute, never two', () => {
    const manifest = {
      ...TEST_MANIFEST,
      substitutes: {
        ...TEST_MANIFEST.substitutes,
        'animation.fail': { capability: 'animation.celebrate', reason: 'a' },
        'animation.wait': { capability: 'animation.sleep', reason: 'b' },
      },
    };
    const character = { ...testCharacter, manifest };
    expect(canDo(character, 'animation.fail')).toBe('no');
    expect(canDo(character, 'animation.wait')).toBe('no');
  });
});

test('canDo says how', () => {
  expect(canDo(testCharacter, 'animation.greet')).toBe('own');
  expect(canDo(testCharacter, 'animation.celebrate')).toBe('substitute');
  expect(canDo(testCharacter, 'animation.sleep')).toBe('no');
});

describe('moodClips', () => {
  const ids = { work: 'animation.work', wait: 'animation.wait', fail: 'animation.fail', greet: 'animation.greet' };

  test('falls back to idle and leaves out what is not there', () => {
    expect(moodClips(testCharacter, ids)).toEqual({
      idle: 'idle',
      work: 'idle',
      wait: 'idle',
      fail: 'idle',
      greet: 'hop',
      drag: null,
    });
  });

  test('greets at start by the enter clip where there is one, and dangles by the drag clip', () => {
    const { hop, ...clips } = TEST_MANIFEST.clips;
    const manifest = { ...TEST_MANIFEST, clips: { ...clips, hop: hop!, enter: hop!, drag: hop! } };
    expect(moodClips({ ...testCharacter, manifest }, ids)).toMatchObject({ greet: 'enter', drag: 'drag' });
  });
});

describe('catalogDigest', () => {
  const other = { ...testCharacter, manifest: { ...TEST_MANIFEST, id: 'test.other' } };

  test('does not depend on the order', () => {
    expect(catalogDigest([testCharacter, other])).toBe(catalogDigest([other, testCharacter]));
  });

  test('changes when a character comes, goes or changes', () => {
    const newer = { ...testCharacter, manifest: { ...TEST_MANIFEST, version: '0.1.1' } };
    const digests = [[], [testCharacter], [other], [testCharacter, other], [newer]].map(catalogDigest);
    expect(new Set(digests).size).toBe(digests.length);
  });
});
