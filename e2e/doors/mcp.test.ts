import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../server/protocol/snapshot.ts';
import { CLI, endAll, finish, startCli } from '../faults/processes.ts';
import { only, openShell, type Shell } from '../faults/shell.ts';
import { cardOf, enableAccess, optionOf, press } from '../faults/user.ts';
import { type LaunchedCompanion, launchCompanion, until } from '../harness.ts';

// The official client on one side, the real program, host and page on the other.
let companion: LaunchedCompanion;
let shell: Shell;
const open: Client[] = [];

beforeAll(async () => {
  companion = await launchCompanion();
  await enableAccess(companion.page);
  shell = openShell(companion);
  expect((await shell.pair('agent')).code).toBe(0);
});
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});
afterAll(async () => {
  await endAll();
  await companion?.stop();
});

interface Server {
  readonly client: Client;
  readonly transport: StdioClientTransport;
}

async function connect(
  args: readonly string[] = [],
  options: ConstructorParameters<typeof Client>[1] = {},
  env: Readonly<Record<string, string>> = shell.env,
): Promise<Server> {
  const client = new Client({ name: 'test', version: '1' }, options);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'mcp', ...args],
    env: { PATH: process.env.PATH ?? '', ...env },
    stderr: 'pipe',
  });
  open.push(client);
  await client.connect(transport);
  return { client, transport };
}

interface Report {
  readonly action: string | null;
  readonly content: unknown;
  readonly requestId: string;
  readonly status: string;
  readonly reason: string | null;
  readonly revision: number;
  readonly control: { readonly action: string } | null;
  readonly next: string | null;
}
const reportOf = (result: { structuredContent?: unknown }): Report => result.structuredContent as Report;
const textOf = ({ content }: { content: unknown }): string => (content as { text: string }[])[0]!.text;
const errorCode = (result: { _meta?: Record<string, unknown> | undefined }): unknown =>
  (result._meta?.['internal.companion/error'] as { code: unknown } | undefined)?.code;

/** Another profile is there too: this one has to be named. */
const AGENT = ['--credential-profile', 'agent'];

const OPTIONS = [
  { id: 'yes', label: 'Yes' },
  { id: 'no', label: 'No' },
];
const question = (title: string, more: object = {}) => ({
  name: 'interaction_choose',
  arguments: { title, options: OPTIONS, ...more },
});

const cardTitled = (title: string): Promise<string> =>
  until(`a card “${title}”`, async () => {
    const id = await companion.page.evaluate(
      `[...document.querySelectorAll('[data-request-id]')].find((card) => card.textContent.includes(${JSON.stringify(title)}))?.dataset.requestId ?? ''`,
    );
    return id === '' ? null : String(id);
  });
const get = async (requestId: string): Promise<Snapshot> =>
  only<Snapshot>((await shell.run('requests', 'get', requestId, ...AGENT)).out);
const hasEnded = (requestId: string, reason: string) =>
  until(`${requestId} has ended: ${reason}`, async () => (await get(requestId)).reason === reason);

describe('what is listed', () => {
  it('is the capabilities, the animations as one, and what can be done with a request', async () => {
    const { client } = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'animation',
      'choices',
      'elicitation_create',
      'form',
      'interaction_ask',
      'interaction_choose',
      'notice_show',
      'progress_show',
      'requests_cancel',
      'requests_get',
      'requests_update',
      'requests_wait',
    ]);
    for (const { inputSchema, outputSchema } of tools) {
      expect(inputSchema.type).toBe('object');
      expect(outputSchema?.type).toBe('object');
    }
  });

  it('is what the key allows; a call of the rest is refused by name', async () => {
    expect((await shell.pair('quiet', ['notify'], '--credential-profile', 'quiet')).code).toBe(0);
    const { client } = await connect(['--credential-profile', 'quiet']);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain('notice_show');
    expect(names).not.toContain('interaction_choose');
    const refused = await client.callTool(question('Not allowed?'));
    expect([refused.isError, errorCode(refused)]).toEqual([true, 'FORBIDDEN']);
  });

  it.each(['auto', { pin: '2026-07-28' }] as const)('serves the stateless revision too: %j', async (mode) => {
    const { client } = await connect(AGENT, { versionNegotiation: { mode } });
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    const asked = client.callTool(question(`Stateless ${JSON.stringify(mode)}?`));
    const requestId = await cardTitled(`Stateless ${JSON.stringify(mode)}?`);
    await press(companion.page, optionOf(requestId, 'yes'));
    expect(reportOf(await asked)).toMatchObject({ action: 'accept', content: { selectedId: 'yes' } });
  });
});

describe('a question', () => {
  it.each([
    ['answered', (id: string) => optionOf(id, 'no'), { action: 'accept', content: { selectedId: 'no' } }],
    ['declined', (id: string) => `${cardOf(id)} [data-action="decline"]`, { action: 'decline', content: null }],
    ['dismissed', (id: string) => `${cardOf(id)} [data-action="dismiss"]`, { action: 'cancel', content: null }],
  ])('that is %s says so', async (what, selector, report) => {
    const { client } = await connect(AGENT);
    const asked = client.callTool(question(`To be ${what}?`, { allowDecline: true }));
    const requestId = await cardTitled(`To be ${what}?`);
    await press(companion.page, selector(requestId));
    const result = await asked;
    expect(reportOf(result)).toMatchObject({ ...report, requestId, next: null });
    expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
  });

  it('of text, of several picks and of fields brings its answer', async () => {
    const { client } = await connect(AGENT);
    const asked = client.callTool({ name: 'interaction_ask', arguments: { title: 'Your name?' } });
    const text = await cardTitled('Your name?');
    await companion.page.type(`${cardOf(text)} [data-role="answer"]`, 'Zoë');
    await press(companion.page, `${cardOf(text)} [data-action="submit"]`);
    expect(reportOf(await asked)).toMatchObject({ action: 'accept', content: { text: 'Zoë' } });

    const fields = [{ id: 'count', label: 'Copies', type: 'integer', required: true, minimum: 1 }];
    const filled = client.callTool({ name: 'form', arguments: { title: 'Print', fields } });
    const form = await cardTitled('Print');
    await companion.page.type(
      `${cardOf(form)} [data-field-id="count"] input, ${cardOf(form)} input[data-field-id="count"]`,
      '3',
    );
    await press(companion.page, `${cardOf(form)} [data-action="submit"]`);
    expect(reportOf(await filled)).toMatchObject({ action: 'accept', content: { values: { count: 3 } } });

    const requestedSchema = { type: 'object', properties: { sign: { type: 'boolean' } }, required: ['sign'] };
    const elicited = client.callTool({
      name: 'elicitation_create',
      arguments: { message: 'Sign it?', requestedSchema },
    });
    await press(companion.page, `${cardOf(await cardTitled('Sign it?'))} [data-action="submit"]`);
    expect(reportOf(await elicited)).toMatchObject({ action: 'accept', content: { sign: false } });

    const picked = client.callTool({ name: 'choices', arguments: { title: 'Which?', options: OPTIONS } });
    const choices = await cardTitled('Which?');
    await companion.page.click(optionOf(choices, 'yes'));
    await companion.page.waitForSelector(`${optionOf(choices, 'yes')}[aria-checked="true"]`);
    await press(companion.page, `${cardOf(choices)} [data-action="submit"]`);
    expect(reportOf(await picked)).toMatchObject({ action: 'accept', content: { selectedIds: ['yes'] } });
  });

  it('tells a caller that wants to know that it goes on', async () => {
    const { client } = await connect(AGENT);
    const heard: unknown[] = [];
    const asked = client.callTool(question('With progress?'), { onprogress: (progress) => heard.push(progress) });
    const requestId = await cardTitled('With progress?');
    await until('progress was told', () => heard.length > 0);
    await press(companion.page, optionOf(requestId, 'yes'));
    expect(reportOf(await asked).action).toBe('accept');
  });

  it('is handed over in time, stays open, and is waited for', async () => {
    const { client } = await connect([...AGENT, '--answer-within', '300ms']);
    const early = reportOf(await client.callTool(question('Too slow?')));
    expect(early).toMatchObject({ action: 'still_open', content: null });
    expect(early.next).toContain('requests_wait');
    expect(early.next).toContain(early.requestId);
    const { client: patient } = await connect(AGENT);
    const waited = patient.callTool({
      name: 'requests_wait',
      arguments: { requestId: early.requestId, afterRevision: early.revision, waitMs: 45_000 },
    });
    await press(companion.page, optionOf(early.requestId, 'yes'));
    expect(reportOf(await waited)).toMatchObject({ action: 'accept', content: { selectedId: 'yes' } });
  });

  it('handed over stays when its client goes', async () => {
    const { client } = await connect([...AGENT, '--answer-within', '300ms']);
    const { requestId } = reportOf(await client.callTool(question('Left behind?')));
    await client.close();
    expect((await get(requestId)).endedAt).toBeNull();
    await press(companion.page, optionOf(requestId, 'no'));
    const { client: next } = await connect(AGENT);
    const found = await next.callTool({ name: 'requests_get', arguments: { requestId } });
    expect(reportOf(found)).toMatchObject({ action: 'accept', content: { selectedId: 'no' } });
  });

  it('is taken back when the client cancels; cancelling again changes nothing', async () => {
    const { client } = await connect(AGENT);
    const giveUp = new AbortController();
    const asked = client.callTool(question('Cancelled?'), { signal: giveUp.signal });
    const requestId = await cardTitled('Cancelled?');
    giveUp.abort();
    await expect(asked).rejects.toThrow();
    await hasEnded(requestId, 'client_cancelled');
    for (let times = 0; times < 2; times += 1) {
      const again = await client.callTool({ name: 'requests_cancel', arguments: { requestId } });
      expect(reportOf(again)).toMatchObject({ action: 'cancel', reason: 'client_cancelled' });
    }
  });

  it.each([
    ['closes its end', (transport: StdioClientTransport) => void transport.close()],
    ['is killed', ({ pid }: StdioClientTransport) => void process.kill(pid!, 'SIGTERM')],
  ])('is taken back when the client %s', async (how, leave) => {
    const { client, transport } = await connect(AGENT);
    const asked = client.callTool(question(`Dropped, ${how}?`));
    const requestId = await cardTitled(`Dropped, ${how}?`);
    leave(transport);
    await expect(asked).rejects.toThrow();
    await hasEnded(requestId, 'client_cancelled');
  });

  it('with a key is asked once, whoever calls and however often', async () => {
    const { client } = await connect(AGENT);
    const { client: other } = await connect(AGENT);
    const giveUp = new AbortController();
    const call = question('Asked once?', { idempotencyKey: 'mcp-once' });
    const first = client.callTool(call, { signal: giveUp.signal });
    const requestId = await cardTitled('Asked once?');
    giveUp.abort();
    await expect(first).rejects.toThrow();
    const [second, third] = [client.callTool(call), other.callTool(call)];
    await press(companion.page, optionOf(requestId, 'yes'));
    for (const result of await Promise.all([second, third, client.callTool(call)]))
      expect(reportOf(result)).toMatchObject({ requestId, action: 'accept' });
  });

  it('that was never shaped right is refused with the place, and asks nothing', async () => {
    const { client } = await connect(AGENT);
    const results = await Promise.all([
      client.callTool({ name: 'interaction_choose', arguments: { title: 'One?', options: OPTIONS.slice(1) } }),
      client.callTool({ name: 'interaction_choose', arguments: { title: 'More?', options: OPTIONS, icon: 'x' } }),
      client.callTool({ name: 'requests_wait', arguments: { requestId: 5 } as never }),
      client.callTool({ name: 'animation', arguments: { animation: 'interaction.choose' } }),
    ]);
    for (const result of results) expect([result.isError, errorCode(result)]).toEqual([true, 'INVALID_PARAMS']);
    await expect(client.callTool({ name: 'no_such_tool', arguments: {} })).rejects.toThrow('no such tool');
    const lost = await client.callTool({ name: 'requests_get', arguments: { requestId: 'unknown' } });
    expect(errorCode(lost)).toBe('NOT_FOUND');
  });
});

describe('everything else', () => {
  it('shows a notice and plays a clip', async () => {
    const { client } = await connect(AGENT);
    const shown = reportOf(await client.callTool({ name: 'notice_show', arguments: { text: 'From an agent' } }));
    expect(shown).toMatchObject({ action: null, content: null, next: null });
    await cardTitled('From an agent');
    const played = await client.callTool({ name: 'animation', arguments: { animation: 'animation.celebrate' } });
    expect(reportOf(played).requestId).toEqual(expect.any(String));
  });

  it('keeps a progress card, hears what was pressed, and ends it', async () => {
    const { client } = await connect(AGENT);
    const args = { title: 'Indexing', percent: 0, controls: ['cancel'] };
    const started = reportOf(await client.callTool({ name: 'progress_show', arguments: args }));
    expect(started.next).toContain('requests_update');
    await press(companion.page, `${cardOf(started.requestId)} [data-action="cancel"]`);
    const { requestId, revision } = started;
    const waited = { requestId, afterRevision: revision, waitMs: 10_000 };
    const heard = await until('the press has come', async () => {
      const report = reportOf(await client.callTool({ name: 'requests_wait', arguments: waited }));
      return report.control === null ? null : report;
    });
    expect(heard.control?.action).toBe('cancel');
    const stale = { requestId, expectedRevision: revision, params: { percent: 50 } };
    const conflict = await client.callTool({ name: 'requests_update', arguments: stale });
    expect(errorCode(conflict)).toBe('REVISION_CONFLICT');
    const last = { requestId, expectedRevision: heard.revision, params: { done: true } };
    expect(reportOf(await client.callTool({ name: 'requests_update', arguments: last })).status).toBe('completed');
  });

  it('takes a progress card along when it goes, unless that has a key', async () => {
    const { client } = await connect(AGENT);
    const start = async (more: object): Promise<string> =>
      reportOf(await client.callTool({ name: 'progress_show', arguments: { title: 'Left', percent: 1, ...more } }))
        .requestId;
    const [own, keyed] = [await start({}), await start({ idempotencyKey: 'mcp-card' })];
    await client.close();
    await hasEnded(own, 'client_cancelled');
    expect((await get(keyed)).endedAt).toBeNull();
    await shell.run('requests', 'cancel', keyed, ...AGENT);
  });

  it('says how to start the companion when there is none, and how to pair without a key; and goes on', async () => {
    const nobody = { ...shell.env, XDG_RUNTIME_DIR: '', COMPANION_SOCKET: `${companion.home}/none.sock` };
    const { client } = await connect(AGENT, {}, nobody);
    for (let times = 0; times < 2; times += 1) {
      const result = await client.callTool({ name: 'notice_show', arguments: { text: 'Anybody?' } });
      expect(errorCode(result)).toBe('UNREACHABLE');
      expect(textOf(result)).toContain('companion serve');
    }
    const { client: stranger } = await connect(['--credential-profile', 'nobody']);
    const result = await stranger.callTool({ name: 'notice_show', arguments: { text: 'Who am I?' } });
    expect(errorCode(result)).toBe('CREDENTIAL_MISSING');
    expect(textOf(result)).toContain('companion pair');
  });
});

describe('on the wire', () => {
  const OPENING = [
    {
      jsonrpc: '2.0',
      id: 'hello',
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
    },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
  ].map((message) => JSON.stringify(message));

  it('answers every line that wants an answer, prints nothing else, and ends with its input', async () => {
    const program = startCli(shell.env, 'mcp', ...AGENT);
    const junk = [
      'junk',
      '',
      '[]',
      '{"jsonrpc":"2.0","id":"half"}',
      '{"id":7,"method":"tools/list"}',
      'x'.repeat(2_000_000),
    ];
    const calls = [
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}',
      '{"jsonrpc":"2.0","id":2,"method":"no/such","params":{}}',
      '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"notice_show","arguments":[1]}}',
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}',
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}',
      '{"jsonrpc":"2.0","id":4,"method":"ping"}',
    ];
    program.child.stdin?.write(`${[...junk, ...OPENING, ...calls].join('\n')}\n`);
    const read = () =>
      program
        .out()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    await until('the last call is answered', () => program.out().includes('"id":4'));
    const codes = Object.fromEntries(read().map(({ id, error }) => [String(id), error?.code ?? 'ok']));
    expect(codes).toEqual({
      null: -32_600,
      half: -32_600,
      7: -32_600,
      hello: 'ok',
      1: -32_602,
      2: -32_601,
      3: -32_602,
      4: 'ok',
    });
    program.child.stdin?.end();
    expect((await finish(program)).code).toBe(0);
    expect(program.err()).toBe('');
  });
});
