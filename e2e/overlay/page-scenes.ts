/** Sample scenes for the page's own tests and pictures: every view, in English and 简体中文. */

import { UNKNOWN_AUTHOR } from '../../server/protocol/character.ts';
import type { SessionLine } from '../../server/protocol/hooks.ts';
import type { Card, HostMessage, PairingCard, Scene } from '../../server/protocol/link.ts';
import type { CardPresentation } from '../../server/protocol/presentation.ts';
import { DEFAULT_CHARACTER, DEFAULT_SETTINGS, type Settings } from '../../server/protocol/settings.ts';
import type { Language } from '../../server/protocol/words.ts';

let seq = 0;

/** Where the page's tests serve the default character. */
export const NIB_FOLDER = `/overlay/characters/${DEFAULT_CHARACTER}/`;

/** A scene message with the next `seq`, access on, and nothing on screen but what `parts` say. */
export function sceneOf(
  parts: Partial<Omit<Scene, 'settings'>> = {},
  settings: Partial<Settings> = {},
): Extract<HostMessage, { type: 'scene' }> {
  seq += 1;
  return {
    type: 'scene',
    scene: {
      seq,
      settings: { ...DEFAULT_SETTINGS, access: true, ...settings },
      sight: 'clear',
      missed: 0,
      character: NIB_FOLDER,
      catalogRevision: 1,
      clip: null,
      mood: { clip: 'idle', name: 'idle' },
      greetClip: null,
      dragClip: null,
      cards: [],
      waiting: 0,
      sessions: [],
      pairing: null,
      pairingsWaiting: 0,
      resultRetentionMs: 86_400_000,
      armMs: 0,
      ...parts,
    },
  };
}

/** A card that shows `presentation`. */
export const cardOf = (requestId: string, presentation: CardPresentation, extra: Partial<Card> = {}): Card => ({
  requestId,
  status: presentation.view === 'notice' || presentation.view === 'progress' ? 'running' : 'awaiting_user',
  client: 'Build server',
  style: 'plain',
  deadlineAt: Date.now() + 600_000,
  presentation,
  control: null,
  elsewhere: false,
  ...extra,
});

export const notice = (text: string, extra: Partial<Extract<CardPresentation, { view: 'notice' }>> = {}) =>
  ({ view: 'notice', tone: 'information', title: null, text, durationMs: 6_000, ...extra }) as const;

export const progress = (extra: Partial<Extract<CardPresentation, { view: 'progress' }>> = {}) =>
  ({
    view: 'progress',
    tone: 'information',
    title: 'Building the release',
    percent: 42,
    message: 'compiling 218 of 512 files',
    phase: 'Compile',
    paused: false,
    controls: ['pause', 'cancel'],
    ...extra,
  }) as const;

export const choice = (extra: Partial<Extract<CardPresentation, { view: 'choice' }>> = {}) =>
  ({
    view: 'choice',
    tone: 'information',
    title: 'Deploy to production?',
    details: null,
    options: [
      { id: 'yes', label: 'Yes' },
      { id: 'no', label: 'No', description: 'Keep the present version' },
    ],
    suggestedId: null,
    allowDecline: false,
    ...extra,
  }) as const;

export const text = (extra: Partial<Extract<CardPresentation, { view: 'text' }>> = {}) =>
  ({
    view: 'text',
    tone: 'information',
    title: 'Name of the release?',
    details: null,
    placeholder: 'for example 0.1',
    maxLength: 20,
    multiline: false,
    masked: false,
    allowDecline: true,
    ...extra,
  }) as const;

export const choices = (extra: Partial<Extract<CardPresentation, { view: 'choices' }>> = {}) =>
  ({
    view: 'choices',
    tone: 'information',
    title: 'Which checks shall run?',
    details: null,
    options: [
      { id: 'lint', label: 'Lint' },
      { id: 'unit', label: 'Unit tests', description: 'about a minute' },
      { id: 'e2e', label: 'End to end' },
    ],
    min: 1,
    max: 2,
    allowDecline: true,
    ...extra,
  }) as const;

export const form = (extra: Partial<Extract<CardPresentation, { view: 'form' }>> = {}) =>
  ({
    view: 'form',
    tone: 'information',
    title: 'New release',
    details: null,
    fields: [
      { id: 'version', label: 'Version', type: 'string', required: true, maxLength: 12 },
      { id: 'copies', label: 'Copies', type: 'integer', required: false, minimum: 1, maximum: 9 },
      { id: 'sign', label: 'Sign it', type: 'boolean', required: true },
      {
        id: 'channel',
        label: 'Channel',
        type: 'enum',
        required: true,
        options: [
          { id: 's', label: 'Stable' },
          { id: 'b', label: 'Beta' },
        ],
      },
    ],
    allowDecline: true,
    ...extra,
  }) as const;

export const pairing = (extra: Partial<PairingCard> = {}): PairingCard => ({
  pairingId: 'pair-1',
  name: 'Build server',
  about: 'Tells you when a build is done and asks before it deploys.',
  scopes: ['discover', 'animate', 'notify', 'interact'],
  code: '482 913',
  expiresAt: Date.now() + 290_000,
  ...extra,
});

/** A session of an agent. */
export const session = (key: string, extra: Partial<SessionLine> = {}): SessionLine => ({
  key,
  sessionId: `session-${key}`,
  agent: 'claude-code',
  project: key,
  path: `/home/me/work/${key}`,
  state: 'working',
  where: 'pts/3',
  raises: false,
  ...extra,
});

/** Several agents at once, most urgent first, one with a long name. */
export const sessions = (): readonly SessionLine[] => [
  session('api', { state: 'needs-you', raises: true }),
  session('web', { state: 'failed' }),
  session('a-project-with-quite-a-long-name', { agent: 'codex' }),
  session('shop', { state: 'done', agent: 'codex' }),
];

const HOUR_MS = 3_600_000;

export const accessMessage = (): Extract<HostMessage, { type: 'access' }> => ({
  type: 'access',
  clients: [
    {
      clientId: 'client-1',
      name: 'Build server',
      scopes: ['discover', 'animate', 'notify', 'interact'],
      createdAt: Date.now() - 72 * HOUR_MS,
      lastUsedAt: Date.now() - HOUR_MS,
      unfinished: 2,
    },
    {
      clientId: 'client-2',
      name: '备份脚本',
      scopes: ['notify'],
      createdAt: Date.now() - 24 * HOUR_MS,
      lastUsedAt: null,
      unfinished: 0,
    },
  ],
  resultMs: 24 * HOUR_MS,
  tombstoneMs: 168 * HOUR_MS,
  kept: 17,
  folder: '~/.local/state/companion',
});

export const answersMessage = (): Extract<HostMessage, { type: 'answers' }> => {
  const row = {
    client: 'Build server',
    details: null,
    tone: 'information',
    createdAt: Date.now() - HOUR_MS,
    endedAt: Date.now() - HOUR_MS + 60_000,
    retainedUntil: Date.now() + 23 * HOUR_MS,
  } as const;
  return {
    type: 'answers',
    rows: [
      {
        ...row,
        requestId: 'a1',
        title: 'Deploy to production?',
        details: 'git push origin main\u202Egnp.exe',
        view: 'choice',
        tone: 'warning',
        status: 'completed',
        reason: 'user_answered',
        answer: 'Yes',
      },
      {
        ...row,
        requestId: 'a2',
        title: '要备份到哪里？',
        client: '备份脚本',
        view: 'text',
        status: 'cancelled',
        reason: 'user_declined',
        answer: null,
      },
      {
        ...row,
        requestId: 'a3',
        title: 'The build is done.',
        view: 'notice',
        tone: 'success',
        status: 'completed',
        reason: 'displayed',
        answer: null,
      },
      {
        ...row,
        requestId: 'a4',
        title: 'Name of the release?',
        view: 'text',
        status: 'awaiting_user',
        reason: null,
        answer: null,
        endedAt: null,
        retainedUntil: null,
      },
    ],
  };
};

/** The default character in use, one that lacks most things and one with words of its own; two that are broken. */
export const charactersMessage = (): Extract<HostMessage, { type: 'characters' }> => {
  const row = {
    version: '1.2.0',
    authors: ['The companion project'],
    license: 'MIT',
    builtIn: true,
    current: false,
    folder: NIB_FOLDER,
    greetClip: 'greet',
  } as const;
  const can = (...names: readonly string[]) => names.map((name) => ({ name, text: null, instead: null }));
  return {
    type: 'characters',
    rows: [
      {
        ...row,
        id: DEFAULT_CHARACTER,
        name: { default: 'Nib', zh: '小尖' },
        description: { default: 'A small ink drop with a pen tip.', zh: '一滴带笔尖的墨水。' },
        current: true,
        abilities: can('greet', 'celebrate', 'work', 'think', 'wait', 'fail', 'sleep'),
      },
      {
        ...row,
        id: 'org.example.ghost',
        name: { default: 'Terminal Ghost', zh: '终端幽灵' },
        description: { default: 'It haunts your shell, kindly.', zh: '善意地在你的终端里出没。' },
        builtIn: false,
        license: 'CC-BY-4.0',
        authors: ['Ada', 'Grace'],
        abilities: [
          ...can('greet', 'work', 'wait'),
          { name: 'celebrate', text: null, instead: 'greet' },
          {
            name: 'flicker',
            text: { default: 'Flickers like an old screen.', zh: '像旧屏幕一样闪烁。' },
            instead: null,
          },
        ],
      },
      {
        ...row,
        id: 'org.example.stone',
        name: { default: 'A stone with a rather long name that needs two lines' },
        description: { default: 'חבר שקט מאוד' },
        builtIn: false,
        authors: [UNKNOWN_AUTHOR],
        license: 'LicenseRef-unknown',
        greetClip: null,
        abilities: [],
      },
    ],
    unavailable: [
      { id: 'org.example.torn', reason: 'sheet.png is 64 x 64 pixels, the manifest says 128 x 64' },
      { id: 'org.example.empty', reason: 'character.json is missing' },
    ],
  };
};

/** An agent asks for permission while others go on. */
export const permission = (language: Language): Partial<Scene> => ({
  sessions: sessions(),
  cards: [
    cardOf(
      'p1',
      choice({
        tone: 'warning',
        title:
          language === 'zh-CN' ? 'Claude Code（api）：运行这条命令吗？' : 'Claude Code in “api”: run this command?',
        details: 'rm -rf build && npm run build -- --release',
        options:
          language === 'zh-CN'
            ? [
                { id: 'allow', label: '允许', description: '只允许这一次' },
                { id: 'deny', label: '拒绝' },
              ]
            : [
                { id: 'allow', label: 'Allow', description: 'Just this once' },
                { id: 'deny', label: 'Deny' },
              ],
      }),
      { client: 'hooks', elsewhere: true },
    ),
  ],
});

const DIFF =
  'git diff main…feature\n--- a/server/main.ts\n+++ b/server/main.ts\n-  listen(8080)\n+  listen(socketPath) // hidden: \u202Etxt.exe\n+  announce()';
const LONG = 'The very long sentence that a program has thought up does not end where anybody would expect it to, ';

/** One picture each: name and what is on screen. Texts of programs are in the language of the page. */
export function samples(language: Language): readonly { readonly name: string; readonly parts: Partial<Scene> }[] {
  const zh = language === 'zh-CN';
  const client = zh ? '构建服务' : 'Build server';
  const card = (id: string, presentation: CardPresentation, extra: Partial<Card> = {}) =>
    cardOf(id, presentation, { client, ...extra });
  const say = (english: string, chinese: string): string => (zh ? chinese : english);
  return [
    {
      name: 'notices',
      parts: {
        cards: [
          card('n1', notice(say('3 of 512 files have changed.', '512 个文件中有 3 个发生了变化。'))),
          card(
            'n2',
            notice(say('The build is done.', '构建完成了。'), { tone: 'success', title: say('Build', '构建') }),
          ),
          card(
            'n3',
            notice(say('Only 2 GB are left on the disk.\nPlease tidy up.', '磁盘只剩 2 GB。\n请清理一下。'), {
              tone: 'warning',
              title: say('Disk', '磁盘'),
            }),
          ),
        ],
        waiting: 4,
      },
    },
    {
      name: 'progress',
      parts: {
        cards: [
          card(
            'p1',
            progress({
              title: say('Building the release', '正在构建发布版本'),
              message: say('compiling 218 of 512 files', '正在编译第 218 个文件，共 512 个'),
              phase: say('Compile', '编译'),
            }),
            { control: { action: 'pause', seq: 1, at: 0 } },
          ),
          card(
            'p2',
            progress({
              title: say('Looking for updates', '正在检查更新'),
              percent: null,
              message: null,
              phase: null,
              controls: [],
            }),
            {
              client: say('Updater', '更新程序'),
            },
          ),
          card(
            'p3',
            progress({
              title: say('Copying photos', '正在复制照片'),
              percent: 80,
              paused: true,
              tone: 'warning',
              phase: null,
              message: null,
            }),
            {
              client: say('Backup', '备份脚本'),
            },
          ),
        ],
      },
    },
    {
      name: 'choice',
      parts: {
        cards: [
          card(
            'c1',
            choice({
              title: say('Deploy these changes to production?', '要把这些改动发布到生产环境吗？'),
              tone: 'warning',
              details: DIFF,
              options: [
                { id: 'y', label: say('Deploy', '发布') },
                { id: 'n', label: say('Not now', '暂不发布') },
                {
                  id: 's',
                  label: say('Staging only', '仅发布到预演环境'),
                  description: say('Nobody outside will see it', '外部用户看不到'),
                },
              ],
              suggestedId: 's',
              allowDecline: true,
            }),
          ),
        ],
        waiting: 1,
      },
    },
    {
      name: 'text',
      parts: {
        cards: [
          card(
            't1',
            text({
              title: say('Name of the release?', '这次发布叫什么名字？'),
              placeholder: say('for example 0.1', '例如 0.1'),
            }),
          ),
          card(
            't2',
            text({ title: say('Commit message', '提交说明'), multiline: true, maxLength: 2_000, placeholder: null }),
            {
              client: say('Editor', '编辑器'),
            },
          ),
        ],
      },
    },
    {
      name: 'choices',
      parts: {
        cards: [
          card(
            'm1',
            choices({
              title: say('Which checks shall run?', '要运行哪些检查？'),
              options: Array.from({ length: 8 }, (_, index) => ({
                id: `o${index}`,
                label: say(`Check number ${index + 1}`, `第 ${index + 1} 项检查`),
                ...(index === 1 ? { description: say('about a minute', '大约一分钟') } : {}),
              })),
              max: 3,
            }),
          ),
        ],
      },
    },
    {
      name: 'form',
      parts: {
        cards: [
          card(
            'f1',
            form({
              title: say('New release', '新的发布'),
              fields: [
                { id: 'version', label: say('Version', '版本'), type: 'string', required: true, maxLength: 12 },
                {
                  id: 'copies',
                  label: say('Copies', '份数'),
                  type: 'integer',
                  required: false,
                  minimum: 1,
                  maximum: 9,
                },
                {
                  id: 'sign',
                  label: say('Sign it', '签名'),
                  description: say('with the key of this computer', '使用这台电脑的密钥'),
                  type: 'boolean',
                  required: true,
                },
                {
                  id: 'channel',
                  label: say('Channel', '渠道'),
                  type: 'enum',
                  required: true,
                  options: [
                    { id: 's', label: say('Stable', '稳定版') },
                    { id: 'b', label: say('Beta', '测试版') },
                  ],
                },
              ],
            }),
          ),
        ],
      },
    },
    {
      name: 'mixed',
      parts: {
        cards: [
          card(
            'x1',
            progress({
              title: say('Building the release', '正在构建发布版本'),
              message: null,
              phase: null,
              controls: [],
            }),
          ),
          card(
            'x2',
            notice(say('The backup has failed.', '备份失败了。'), { tone: 'error', title: say('Backup', '备份') }),
            {
              client: say('Backup', '备份脚本'),
            },
          ),
          card(
            'x3',
            choice({
              title: say('Try again?', '要再试一次吗？'),
              options: [
                { id: 'y', label: say('Yes', '好') },
                { id: 'n', label: say('No', '不用了') },
              ],
            }),
            { client: say('Backup', '备份脚本') },
          ),
        ],
        waiting: 12,
      },
    },
    {
      name: 'long',
      parts: {
        cards: [
          card(
            'l1',
            notice(say(LONG.repeat(2), '这个程序想说的话非常长，长得让人不知道会在哪里结束，'.repeat(10)), {
              title: 'W'.repeat(80),
            }),
            {
              client: 'A'.repeat(64),
            },
          ),
          card(
            'l2',
            choice({
              title: say(LONG, '这个程序想问的问题也非常长，长得让人不知道会在哪里结束，'.repeat(5)).slice(0, 160),
              details: `${DIFF}\n`.repeat(12),
              options: Array.from({ length: 5 }, (_, index) => ({
                id: String(index),
                label: say('Twenty-four letters long', '二十四个字长的选项标签文字在这里显示出来看看'),
                description: say(LONG, '说明也很长。'.repeat(20)),
              })),
              allowDecline: true,
            }),
            { client: 'שלום עולם' },
          ),
        ],
      },
    },
  ];
}
