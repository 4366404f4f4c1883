/** A pack may bring animations under a vendor's name, and redefines nothing. */
import { describe, expect, test } from 'vitest';
import { CAPABILITIES } from './catalog.ts';
import { type Bringer, packCapabilities } from './pack-capabilities.ts';

const bringing = (id: string, builtIn = false): Bringer => ({
  manifest: { declares: { [id]: { description: { default: `Does ${id}.` } } } },
  builtIn,
});

describe('packCapabilities', () => {
  test('gives what is declared the contract of every animation', () => {
    const [spin] = packCapabilities([bringing('vendor.org.example.spin')]);
    const greet = CAPABILITIES.find(({ kind }) => kind === 'animation')!;
    expect(spin).toMatchObject({ id: 'vendor.org.example.spin', description: 'Does vendor.org.example.spin.' });
    expect(spin?.input).toEqual(greet.input);
    expect(spin?.requiredScopes).toEqual(['animate']);
  });

  test('two packs that declare one ID bring one capability', () => {
    const found = packCapabilities([bringing('vendor.org.example.spin'), bringing('vendor.org.example.spin')]);
    expect(found).toHaveLength(1);
  });

  test.each([
    'animation.greet',
    'notice.show',
    'vendor.internal.companion.form',
    'vendor.internal.companion.spin',
    'vendor.spin',
    'vendor.example.spin',
    'org.example.spin',
    'vendor.org.example.',
    'constructor',
  ])('leaves %s out', (id) => {
    expect(packCapabilities([bringing(id)])).toEqual([]);
  });

  test('what came with this program may use its own name, and still redefines nothing', () => {
    expect(packCapabilities([bringing('vendor.internal.companion.spin', true)])).toHaveLength(1);
    expect(packCapabilities([bringing('vendor.internal.companion.form', true)])).toEqual([]);
  });

  test('nothing declared brings nothing', () => {
    expect(packCapabilities([{ manifest: {}, builtIn: true }])).toEqual([]);
  });
});
