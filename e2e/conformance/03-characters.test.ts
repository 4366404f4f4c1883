/** Spec §7, differences between characters and styles: nothing is shown in place of something else unless the caller allowed it, and then it is said. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type LaunchedCompanion, launchCompanion, until } from '../harness.ts';
import { enableAccess, pairClient, refusalOf } from './support.ts';
import { action, click, closeMenu, onCard, openMenu } from './support-page.ts';

let companion: LaunchedCompanion;
beforeAll(async () => {
  companion = await launchCompanion();
  await enableAccess(companion);
});
afterAll(() => companion.stop());

interface CharacterList {
  readonly current: string;
  readonly characters: readonly { readonly id: string; readonly capabilities: readonly string[] }[];
}

const spriteIs = (clip: string): Promise<unknown> =>
  companion.page.waitForSelector(`[data-character][data-clip="${clip}"]`);

describe('character', () => {
  it('is the one the user has chosen when none is named', async () => {
    const client = await pairClient(companion);
    const { current } = await client.call<CharacterList>('characters.list');
    const { requestId, resolvedCharacter } = await client.create('animation.celebrate', {});
    expect(resolvedCharacter).toBe(current);
    expect((await client.ended(requestId)).resolvedCharacter).toBe(current);
  });

  it('can be named, for every capability it lists', async () => {
    const client = await pairClient(companion);
    const { characters } = await client.call<CharacterList>('characters.list');
    for (const { id, capabilities } of characters) {
      for (const capability of capabilities.filter((each) => each.startsWith('animation.'))) {
        const { requestId, resolvedCharacter, resolvedCapability } = await client.create(
          capability,
          {},
          { character: id },
        );
        expect([resolvedCharacter, resolvedCapability]).toEqual([id, capability]);
        await client.call('requests.cancel', { requestId });
      }
    }
  });

  it.each(['builtin.nobody', 'constructor', 'BUILTIN.NIB', 'x'.repeat(128)])(
    '%s does not exist: INVALID_PARAMS with the place, for animations and cards alike',
    async (character) => {
      const client = await pairClient(companion);
      for (const [capability, params] of [
        ['animation.greet', {}],
        ['notice.show', { text: 'Hello' }],
      ] as const) {
        for (const allowSubstitute of [false, true]) {
          const refusal = await refusalOf(client.create(capability, params, { character, allowSubstitute }));
          expect(refusal.code).toBe('INVALID_PARAMS');
          expect(refusal.details).toMatchObject({ faults: [{ path: '/character' }] });
        }
      }
    },
  );

  it('plays the clip it maps the capability to, in the one place there is for clips', async () => {
    const client = await pairClient(companion);
    const first = await client.create('animation.celebrate', { loops: 20 });
    await client.shown(first.requestId);
    await spriteIs('celebrate');
    const second = await client.create('animation.think', { loops: 20 });
    expect((await client.get(second.requestId)).status).toBe('queued');
    await client.call('requests.cancel', { requestId: first.requestId });
    await client.shown(second.requestId);
    await spriteIs('think');
    await client.call('requests.cancel', { requestId: second.requestId });
    await spriteIs('idle');
  });

  it('shows its own mood of an open question, and leaves off with it', async () => {
    const client = await pairClient(companion);
    const { requestId } = await client.create('interaction.ask', { title: 'How are you?' });
    await spriteIs('wait');
    await client.call('requests.cancel', { requestId });
    await spriteIs('idle');
  });
});

describe('capability', () => {
  it('that no character has is refused, substitute or not', async () => {
    const client = await pairClient(companion);
    for (const allowSubstitute of [false, true]) {
      const refusal = await refusalOf(client.create('vendor.org.example.backflip', {}, { allowSubstitute }));
      expect([refusal.code, refusal.retryable]).toEqual(['UNSUPPORTED_CAPABILITY', false]);
    }
  });

  it('that the character has itself is never substituted, even when that is allowed', async () => {
    const client = await pairClient(companion);
    const created = await client.create('animation.think', {}, { allowSubstitute: true });
    expect(created).toMatchObject({ resolvedCapability: 'animation.think', substituteReason: null });
  });
});

describe('style', () => {
  it('that does not fit is refused with those that do', async () => {
    const client = await pairClient(companion);
    const refusal = await refusalOf(client.create('animation.greet', {}, { style: 'comic' }));
    expect([refusal.code, refusal.details]).toEqual(['UNSUPPORTED_STYLE', { styles: ['plain'] }]);
  });

  it('that does not fit is replaced when the caller allows it, and the snapshot says by what and why, to the end', async () => {
    const client = await pairClient(companion);
    const created = await client.create('animation.greet', {}, { style: 'comic', allowSubstitute: true });
    expect(created).toMatchObject({
      capability: 'animation.greet',
      resolvedCapability: 'animation.greet',
      resolvedStyle: 'plain',
      substituteReason: expect.stringMatching(/./),
    });
    const ended = await client.ended(created.requestId);
    expect(ended.substituteReason).toBe(created.substituteReason);
  });

  it('that there is not is refused, substitute or not', async () => {
    const client = await pairClient(companion);
    for (const allowSubstitute of [false, true]) {
      const attempt = client.create('notice.show', { text: 'Hello' }, { style: 'baroque', allowSubstitute });
      await expect(attempt).rejects.toMatchObject({ code: 'UNSUPPORTED_STYLE' });
    }
  });

  it('that fits is taken as it is, even when a substitute is allowed', async () => {
    const client = await pairClient(companion);
    const created = await client.create('notice.show', { text: 'Hello' }, { style: 'terminal', allowSubstitute: true });
    expect(created).toMatchObject({ resolvedStyle: 'terminal', substituteReason: null });
    await companion.page.waitForSelector(`${onCard(created.requestId)}[data-style="terminal"]`);
  });

  it('is the one the user has set when none is named, and an animation does without', async () => {
    const client = await pairClient(companion);
    const { page } = companion;
    const styleIs = (style: string) =>
      until(`the default style is ${style}`, async () => {
        const { requestId, resolvedStyle } = await client.create('progress.show', { title: 'Style', percent: 0 });
        await client.call('requests.cancel', { requestId });
        return resolvedStyle === style;
      });
    const next = async (): Promise<void> => {
      await openMenu(page);
      await click(page, `[data-role="menu"] ${action('style')}`);
      await closeMenu(page);
    };
    await styleIs('plain');
    await next();
    onTestFinished(async () => {
      for (let left = 3; left > 0; left -= 1) await next();
    });
    await styleIs('comic');
    const animation = await client.create('animation.greet', {});
    expect(animation).toMatchObject({ resolvedStyle: 'plain', substituteReason: null });
    const named = await client.create('notice.show', { text: 'Hello' }, { style: 'large-text' });
    expect(named.resolvedStyle).toBe('large-text');
  });
});
