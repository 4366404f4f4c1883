/** Sessions of coding agents on the built page, without a host: order, folding, pressing, and that nothing moves for them. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Scene } from '../../server/protocol/link.ts';
import type { Settings } from '../../server/protocol/settings.ts';
import { launchBrowser, type OverlayPage, openOverlayPage, type PageOptions, type Sent } from './page-driver.ts';
import { permission, sceneOf, session, sessions } from './page-scenes.ts';

let browser: Browser;
let overlay: OverlayPage;

beforeAll(async () => {
  browser = await launchBrowser();
  overlay = await openOverlayPage(browser);
});
afterAll(() => browser.close());

const inPage = <Value>(expression: string): Promise<Value> => overlay.page.evaluate(expression) as Promise<Value>;
const show = async (
  parts: Partial<Scene>,
  settings: Partial<Settings> = {},
  options: PageOptions = {},
): Promise<void> => {
  await overlay.reopen(options);
  await overlay.tell(sceneOf(parts, settings));
  await overlay.page.waitForSelector('[data-clip]');
};
const lines = (): Promise<string[]> =>
  inPage(`[...document.querySelectorAll('[data-session-id]')].map((line) =>
    [line.dataset.sessionId, line.dataset.agent, line.dataset.state, line.innerText.replace(/\\s+/g, ' ')].join(' | '))`);
const place = (selector: string): Promise<string> =>
  inPage(`JSON.stringify(document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect())`);
const pressed = () =>
  overlay.sent.filter((message): message is Extract<Sent, { type: 'session' }> => message.type === 'session');

it('are a line each with project and state, in both languages', async () => {
  await show({ sessions: sessions() });
  expect(await lines()).toEqual([
    'session-api | claude-code | needs-you | api needs you',
    'session-web | claude-code | failed | web failed',
    'session-a-project-with-quite-a-long-name | codex | working | a-project-with-quite-a-long-name working',
    'session-shop | codex | done | shop done',
  ]);
  await overlay.tell(sceneOf({ sessions: sessions() }, { language: 'zh-CN' }));
  expect((await lines()).map((line) => line.split(' ').at(-1))).toEqual(['等你处理', '出错了', '工作中', '已完成']);
});

it('are folded to a name while there is one that wants nothing', async () => {
  await show({ sessions: [session('api')] });
  expect(await lines()).toEqual(['session-api | claude-code | working | api']);
  expect(await inPage(`document.querySelector('[data-role="sessions"]').dataset.folded`)).toBe('true');
  await overlay.tell(sceneOf({ sessions: [session('api', { state: 'needs-you' })] }));
  expect(await lines()).toEqual(['session-api | claude-code | needs-you | api needs you']);
});

it('are not there when there are none', async () => {
  await show({ sessions: [] });
  expect(await inPage(`document.querySelector('[data-role="sessions"]')`)).toBeNull();
});

it('take no room from cards and figure, however many come', async () => {
  await show({ ...permission('en'), sessions: [] });
  const before = [await place('[data-request-id="p1"]'), await place('.figure')];
  const many = Array.from({ length: 30 }, (_, at) => session(`p${at}`));
  await overlay.tell(sceneOf({ ...permission('en'), sessions: many }));
  expect([await place('[data-request-id="p1"]'), await place('.figure')]).toEqual(before);
  const { height } = JSON.parse(await place('.sessions')) as { height: number };
  expect(height).toBeLessThanOrEqual((JSON.parse(await place('.figure')) as { height: number }).height + 0.5);
});

it('keep their order under the pointer, and take their own when it has left', async () => {
  await show({ sessions: [session('api'), session('web')] });
  await overlay.page.hover('[data-session-id="session-web"]');
  const after = { sessions: [session('web', { state: 'needs-you' }), session('api')] };
  await overlay.tell(sceneOf(after));
  expect((await lines()).map((line) => line.split(' ')[0])).toEqual(['session-api', 'session-web']);
  await overlay.page.mouse.move(0, 0);
  await overlay.tell(sceneOf(after));
  expect((await lines()).map((line) => line.split(' ')[0])).toEqual(['session-web', 'session-api']);
});

it('tell the host of a press, and copy the folder when the terminal cannot be brought up', async () => {
  await show({ sessions: sessions() });
  await overlay.page.click('[data-session-id="session-web"]');
  expect(pressed()).toEqual([{ type: 'session', key: 'web' }]);
  await overlay.tell({ type: 'notRaised', key: 'web' });
  expect((await lines())[1]).toContain('folder copied');
  await overlay.page.waitForFunction(`!document.body.innerText.includes('folder copied')`);
});

it('really put the folder on the clipboard', async () => {
  await show({ sessions: sessions() });
  await inPage(
    `(() => { const area = document.createElement('textarea'); area.id = 'paste'; document.body.append(area); })()`,
  );
  await overlay.page.click('[data-session-id="session-web"]');
  await overlay.tell({ type: 'notRaised', key: 'web' });
  await overlay.page.focus('#paste');
  await overlay.page.keyboard.down('Control');
  await overlay.page.keyboard.press('v', { commands: ['paste'] });
  await overlay.page.keyboard.up('Control');
  expect(await inPage(`document.querySelector('#paste').value`)).toBe('/home/me/work/web');
});

it('a card that is asked in the terminal as well says so, at its text and its way out', async () => {
  await show(permission('en'));
  expect(await inPage(`document.querySelector('[data-role="elsewhere"]').textContent`)).toContain('in the terminal');
  expect(await inPage(`document.querySelector('[data-action="dismiss"]').title`)).toContain('in the terminal');
});

it('axe finds nothing serious', async () => {
  await show(permission('en'));
  await inPage(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  const serious = `axe.run().then(({ violations }) =>
    violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => id + ' ' + nodes[0].html))`;
  expect(await inPage(serious)).toEqual([]);
});
