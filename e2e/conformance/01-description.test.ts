/** Spec §7, "what is described is what can be done": every listed ability is real, every answer keeps its schema. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import metaSchemas from '@open-rpc/meta-schema';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../server/protocol/snapshot.ts';
import { CONTROL_SCOPE } from '../../server/protocol/words.ts';
import { findCapability } from '../../server/registry/catalog.ts';
import type { Contract } from '../../server/registry/contract.ts';
import { vendorHook } from '../../server/registry/methods/vendor.internal.companion.hook.ts';
import { type LaunchedCompanion, launchCompanion } from '../harness.ts';
import { type Client, callRpc, enableAccess, pairClient, rawPost, requestPairing } from './support.ts';
import { action, answerText, click, clickCard, gone, onCard, option, typeInto } from './support-page.ts';

const SCHEMAS = join(import.meta.dirname, '../../schemas');
const schemaOf = (name: string) => JSON.parse(readFileSync(join(SCHEMAS, name), 'utf8'));
const namesIn = (folder: string): string[] =>
  readdirSync(join(SCHEMAS, folder)).map((name) => name.replace(/\.json$/, ''));
const CAPABILITY_IDS = namesIn('capabilities');

interface CapabilityList {
  readonly catalogRevision: number;
  readonly capabilities: readonly Contract[];
  readonly nextCursor: null;
}
interface CharacterList {
  readonly catalogRevision: number;
  readonly current: string;
  readonly characters: readonly { readonly id: string; readonly capabilities: string[]; readonly styles: string[] }[];
}
interface StyleList {
  readonly default: string;
  readonly styles: readonly { readonly id: string; readonly description: string; readonly capabilities: string[] }[];
}

let companion: LaunchedCompanion;
beforeAll(async () => {
  companion = await launchCompanion();
  await enableAccess(companion);
});
afterAll(() => companion.stop());

/** Another reader of JSON Schema than the host's own instance: strict about nothing but the verdict. */
const ajv = new Ajv2020({ strict: false, validateFormats: false });
function faultsOf(schema: object, value: unknown): unknown {
  const validate = ajv.compile(schema);
  return validate(value) ? null : validate.errors;
}

/** Does what the user, or the owner, has to do so that the request ends well. */
async function bringToEnd(client: Client, { requestId, capability }: Snapshot): Promise<Snapshot> {
  const { page } = companion;
  const { interaction, kind } = findCapability(capability)!;
  if (kind === 'progress') {
    const { revision } = await client.shown(requestId);
    return client.call('requests.update', { requestId, expectedRevision: revision, params: { done: true } });
  }
  if (interaction === 'choice') await clickCard(page, requestId, 'button[data-option-id]');
  if (interaction === 'text') await answerText(page, requestId, '0.1');
  if (capability.endsWith('.choices')) {
    await clickCard(page, requestId, 'button[data-option-id]');
    await clickCard(page, requestId, action('submit'));
  }
  if (capability.endsWith('.form')) {
    await typeInto(page, requestId, '[data-field-id="version"]', '1.0');
    await clickCard(page, requestId, option('s'));
    await clickCard(page, requestId, action('submit'));
  }
  return client.ended(requestId);
}

describe('runtime.describe', () => {
  it('tells name, versions, instance, limits, retention and authorization, with a key and without', async () => {
    const client = await pairClient(companion, { scopes: ['notify'] });
    const { socketPath } = companion;
    const schema = schemaOf('methods/runtime.describe.json').$defs.result;
    const anonymous = await callRpc<Record<string, unknown>>(socketPath, null, 'runtime.describe');
    const known = await client.call<Record<string, unknown>>('runtime.describe');
    for (const answer of [anonymous, known]) expect(faultsOf(schema, answer)).toBeNull();
    expect(anonymous).toMatchObject({
      implementation: { name: 'companion' },
      protocolVersions: ['0.1'],
      access: 'on',
      accepting: { ok: true, reason: null },
      overlay: { state: 'up', backend: 'headless' },
      authorization: null,
    });
    expect((anonymous.retention as { resultMs: number }).resultMs).toBeGreaterThanOrEqual(24 * 3_600_000);
    expect(known.authorization).toEqual({ clientId: client.clientId, name: client.name, scopes: ['notify'] });
    expect({ ...known, authorization: null }).toEqual(anonymous);
  });

  it('names the instance that accepts requests', async () => {
    const client = await pairClient(companion);
    const { runtimeInstanceId } = await client.call<{ runtimeInstanceId: string }>('runtime.describe');
    const created = await client.create('progress.show', { title: 'Instance', percent: 0 });
    expect(created.runtimeInstanceId).toBe(runtimeInstanceId);
  });

  it('publishes limits for each client and for all of them, and they are the ones in force', async () => {
    const client = await pairClient(companion);
    const { limits } = await client.call<{ limits: Record<string, number> }>('runtime.describe');
    expect(limits).toMatchObject({
      maxUnfinishedPerClient: expect.any(Number),
      maxUnfinished: expect.any(Number),
      createsPerSecond: expect.any(Number),
      maxKeptResults: expect.any(Number),
    });
    const tooLong = { requestId: 'x', afterRevision: 0, waitMs: limits.maxWaitMs! + 1 };
    await expect(client.call('requests.wait', tooLong)).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
    const justRight = { requestId: 'x', afterRevision: 0, waitMs: limits.maxWaitMs! };
    await expect(client.call('requests.wait', justRight)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'runtime.describe' });
    const fits = await rawPost(companion.socketPath, body.padEnd(limits.maxFrameBytes!));
    const larger = await rawPost(companion.socketPath, body.padEnd(limits.maxFrameBytes! + 1));
    expect([fits.status, larger.status]).toEqual([200, 413]);
  });
});

describe('discovery', () => {
  it('needs the scope discover', async () => {
    const client = await pairClient(companion, { scopes: ['animate', 'notify', 'interact'] });
    for (const [method, params] of [
      ['characters.list', {}],
      ['capabilities.list', {}],
      ['styles.list', {}],
      ['capabilities.describe', { id: 'notice.show' }],
    ] as const) {
      await expect(client.call(method, params)).rejects.toMatchObject({ code: 'FORBIDDEN' });
      await expect(callRpc(companion.socketPath, null, method, params)).rejects.toMatchObject({
        code: 'UNAUTHENTICATED',
      });
    }
  });

  it('capabilities.list holds what the scopes of the caller allow, and nothing else', async () => {
    const everything = await pairClient(companion);
    const discoverer = await pairClient(companion, { scopes: ['discover', 'notify'] });
    const all = await everything.call<CapabilityList>('capabilities.list');
    const some = await discoverer.call<CapabilityList>('capabilities.list');
    expect(all.capabilities.map(({ id }) => id).sort()).toEqual([...CAPABILITY_IDS].sort());
    expect(some.capabilities.map(({ id }) => id).sort()).toEqual(['notice.show', 'progress.show']);
    expect(some.catalogRevision).toBe(all.catalogRevision);
    expect(Number.isInteger(all.catalogRevision)).toBe(true);
    expect(all.nextCursor).toBeNull();
  });

  it('characters.list names the current character among those there are, each with what it can do', async () => {
    const client = await pairClient(companion);
    const { current, characters, catalogRevision } = await client.call<CharacterList>('characters.list');
    expect(characters.map(({ id }) => id)).toContain(current);
    expect(catalogRevision).toBe((await client.call<CapabilityList>('capabilities.list')).catalogRevision);
    const own = characters.find(({ id }) => id === current)!;
    expect([...own.capabilities].sort()).toEqual([...CAPABILITY_IDS].sort());
  });

  it('a contract from the list, one from capabilities.describe and the file on disk say the same, every field stated', async () => {
    const client = await pairClient(companion);
    const { capabilities } = await client.call<CapabilityList>('capabilities.list');
    const { characters } = await client.call<CharacterList>('characters.list');
    for (const contract of capabilities) {
      const described = await client.call<Contract>('capabilities.describe', { id: contract.id });
      expect(described).toEqual(contract);
      const { updateSchema, characters: fits, ...onDisk } = schemaOf(`capabilities/${contract.id}.json`);
      const { characters: able, ...said } = contract;
      expect(said).toEqual(onDisk);
      const ids = characters.filter((each) => each.capabilities.includes(contract.id)).map(({ id }) => id);
      expect(able).toEqual(fits === 'all' ? 'all' : ids);
      expect(Object.keys(updateSchema.properties)).toEqual(contract.updatableFields);
      expect(Object.keys(contract).sort()).toEqual(
        [
          'id version description characters kind interaction inputSchema outputSchema requiredScopes updatableFields',
          'completion cancelable queue whenUnavailable styles limits',
        ]
          .join(' ')
          .split(' ')
          .sort(),
      );
    }
  });

  it('an unknown capability has no contract and cannot be called', async () => {
    const client = await pairClient(companion);
    for (const id of ['interaction.shout', 'vendor.org.example.wave', 'constructor', 'Notice.show']) {
      await expect(client.call('capabilities.describe', { id })).rejects.toMatchObject({
        code: 'UNSUPPORTED_CAPABILITY',
      });
      await expect(client.create(id, {})).rejects.toMatchObject({ code: 'UNSUPPORTED_CAPABILITY' });
    }
  });
});

describe.each(CAPABILITY_IDS)('%s', (id) => {
  it('can be created as its contract says and completes with a result of its output schema', async () => {
    const client = await pairClient(companion);
    const { capabilities } = await client.call<CapabilityList>('capabilities.list');
    const { inputSchema, outputSchema, version, limits } = capabilities.find((contract) => contract.id === id)!;
    const example = findCapability(id)!.examples.valid[0]!;
    const params = id === 'notice.show' ? { ...example, durationMs: 1_000 } : example;
    expect(faultsOf(inputSchema, params)).toBeNull();
    const created = await client.create(id, params, { taskId: 'own label' });
    expect(created).toMatchObject({
      capability: id,
      capabilityVersion: version,
      taskId: 'own label',
      resolvedCapability: id,
      substituteReason: null,
      result: null,
      reason: null,
    });
    expect(Date.parse(created.deadlineAt) - Date.parse(created.createdAt)).toBe(limits.defaultTimeoutMs);
    const ended = await bringToEnd(client, created);
    expect(ended).toMatchObject({ status: 'completed', requestId: created.requestId });
    expect(ended.revision).toBeGreaterThan(created.revision);
    expect(Date.parse(ended.displayedAt!)).toBeGreaterThanOrEqual(Date.parse(created.createdAt));
    expect(Date.parse(ended.endedAt!)).toBeGreaterThanOrEqual(Date.parse(ended.displayedAt!));
    expect(Date.parse(ended.retainedUntil!) - Date.parse(ended.endedAt!)).toBeGreaterThanOrEqual(24 * 3_600_000);
    expect(faultsOf(outputSchema, ended.result)).toBeNull();
    for (const snapshot of [created, await client.get(created.requestId)]) {
      expect(faultsOf(schemaOf('snapshot.json'), snapshot)).toBeNull();
    }
  });

  it('can be cancelled by its owner and leaves the screen', async () => {
    const client = await pairClient(companion);
    const { requestId } = await client.create(id, findCapability(id)!.examples.valid[0]!);
    const cancelled = await client.call('requests.cancel', { requestId });
    expect(cancelled).toMatchObject({ status: 'cancelled', reason: 'client_cancelled', result: null });
    await gone(companion.page, `[data-request-id="${requestId}"]`);
    expect(await client.get(requestId)).toEqual(cancelled);
  });
});

describe('styles.list', () => {
  it('each style is real for each capability it names, and refused for the others', async () => {
    const client = await pairClient(companion);
    const list = await client.call<StyleList>('styles.list');
    expect(list.styles.map(({ id }) => id)).toContain(list.default);
    for (const style of list.styles) {
      for (const id of CAPABILITY_IDS.filter((each) => !each.startsWith('animation.') || each === 'animation.greet')) {
        const attempt = client.create(id, findCapability(id)!.examples.valid[0]!, { style: style.id });
        if (style.capabilities.includes(id)) {
          const { requestId, resolvedStyle } = await attempt;
          expect(resolvedStyle).toBe(style.id);
          await client.call('requests.cancel', { requestId });
        } else {
          await expect(attempt).rejects.toMatchObject({ code: 'UNSUPPORTED_STYLE' });
        }
      }
    }
  });

  it('each style looks different, and each tone keeps its own mark in every style', async () => {
    const client = await pairClient(companion);
    const { styles } = await client.call<StyleList>('styles.list');
    const looks = new Set<string>();
    for (const { id } of styles) {
      const marks = new Set<string>();
      for (const tone of ['information', 'success', 'warning', 'error']) {
        const { requestId } = await client.create('progress.show', { title: 'Look', percent: 1, tone }, { style: id });
        await companion.page.waitForSelector(onCard(requestId));
        const card = `[data-request-id="${requestId}"]`;
        expect(await companion.page.$eval(card, ({ dataset }) => [dataset.style, dataset.tone])).toEqual([id, tone]);
        const mark = await companion.page.$eval(`${card} .tone`, (element) => [
          element.getAttribute('aria-label'),
          element.innerHTML,
        ]);
        marks.add(JSON.stringify(mark));
        if (tone === 'information') looks.add(await lookOf(requestId));
        await client.call('requests.cancel', { requestId });
      }
      expect(marks.size, id).toBe(4);
    }
    expect(looks.size).toBe(styles.length);
  });
});

/** What the style sheet makes of a card, without its place. */
const lookOf = (requestId: string): Promise<string> =>
  companion.page.evaluate(`(() => {
    const { fontFamily, fontSize, backgroundColor, borderRadius, borderTopWidth, color } =
      getComputedStyle(document.querySelector('[data-request-id="${requestId}"]'));
    return JSON.stringify({ fontFamily, fontSize, backgroundColor, borderRadius, borderTopWidth, color });
  })()`) as Promise<string>;

describe('schemas', () => {
  it('rpc.discover is a valid OpenRPC document, the one on disk, and lists exactly the methods there are', async () => {
    const document = await callRpc<{ methods: { name: string }[] }>(companion.socketPath, null, 'rpc.discover');
    expect(document).toEqual(schemaOf('openrpc.json'));
    expect(document.methods.map(({ name }) => name).sort()).toEqual(namesIn('methods').sort());
    const { $schema: _dialect, ...rules } = structuredClone(
      (metaSchemas as { default?: object }).default ?? metaSchemas,
    ) as Record<string, unknown>;
    const text = JSON.stringify(rules).replaceAll(/\{"\$ref":"https:\/\/meta\.json-schema\.tools[^"]*"\}/g, '{}');
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(JSON.parse(text));
    validate(document);
    expect(validate.errors).toBeNull();
  });

  it('the result of every method keeps the schema of that method', async () => {
    const { socketPath, page } = companion;
    const client = await pairClient(companion);
    const { requestId, revision } = await client.create('progress.show', { title: 'Schema', percent: 0 });
    const pairing = await requestPairing(companion, { name: 'schema reader', scopes: ['notify'] });
    const { pairingId, pairingSecret } = pairing;
    const wait = { pairingId, pairingSecret, waitMs: 0 };
    const results: Record<string, unknown> = {
      'runtime.describe': await client.call('runtime.describe'),
      'rpc.discover': await client.call('rpc.discover'),
      'characters.list': await client.call('characters.list'),
      'capabilities.list': await client.call('capabilities.list'),
      'capabilities.describe': await client.call('capabilities.describe', { id: 'interaction.choose' }),
      'styles.list': await client.call('styles.list'),
      'requests.create': await client.create('notice.show', { text: 'Schema' }),
      'requests.get': await client.get(requestId),
      'requests.wait': await client.call('requests.wait', { requestId, afterRevision: 0, waitMs: 0 }),
      'requests.update': await updateNewest(client, requestId, revision),
      'requests.cancel': await client.call('requests.cancel', { requestId }),
      'pairing.request': pairing,
      'pairing.wait': await callRpc(socketPath, null, 'pairing.wait', wait),
    };
    await click(page, `[data-pairing-id="${pairingId}"] ${action('approve')}`);
    const approved = await callRpc<{ key: string }>(socketPath, null, 'pairing.wait', { ...wait, waitMs: 10_000 });
    expect(faultsOf(schemaOf('methods/pairing.wait.json').$defs.result, approved)).toBeNull();
    const control = await pairClient(companion, { scopes: [CONTROL_SCOPE] });
    results[CONTROL_SCOPE] = await control.call(CONTROL_SCOPE, { action: 'show' });
    results[vendorHook.name] = await client.call(vendorHook.name, vendorHook.examples.valid[1]!);
    results['auth.revokeSelf'] = await callRpc(socketPath, approved.key, 'auth.revokeSelf');
    expect(Object.keys(results).sort()).toEqual(namesIn('methods').sort());
    for (const [name, result] of Object.entries(results)) {
      expect(faultsOf(schemaOf(`methods/${name}.json`).$defs.result, result), name).toBeNull();
    }
  });

  it('two reads of one revision are equal to the byte', async () => {
    const client = await pairClient(companion);
    const { requestId } = await client.create(
      'interaction.choose',
      findCapability('interaction.choose')!.examples.valid[0]!,
    );
    await client.shown(requestId);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'requests.get', params: { requestId } });
    const headers = { authorization: `Bearer ${client.key}` };
    const [first, second] = [
      await rawPost(companion.socketPath, body, { headers }),
      await rawPost(companion.socketPath, body, { headers }),
    ];
    expect(first.text).toBe(second.text);
  });
});

/** Painting may raise the revision in between; then the update is made again on the newest. */
async function updateNewest(client: Client, requestId: string, revision: number): Promise<Snapshot> {
  const { revision: shown } = await client.settled(
    requestId,
    (snapshot) => snapshot.revision > revision || snapshot.status !== 'queued',
  );
  return client.call('requests.update', { requestId, expectedRevision: shown, params: { percent: 1 } });
}
