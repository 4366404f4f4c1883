/** Events as the two agents write them, field for field, with contents of our own. */

const CLAUDE = {
  session_id: '3f0c6c1e-0001',
  transcript_path: '/home/me/.claude/projects/api/3f0c6c1e-0001.jsonl',
  cwd: '/home/me/work/api',
  prompt_id: '5d2a0c6e-1111',
  permission_mode: 'default',
  effort: { level: 'high' },
};
const CODEX = {
  session_id: '01990000-aaaa',
  turn_id: 'turn-1',
  transcript_path: null,
  cwd: '/home/me/work/shop',
  model: 'gpt-5-codex',
  permission_mode: 'default',
};

type Fields = Readonly<Record<string, unknown>>;

/** An event of Claude Code as its hook's standard input. */
export const claude = (name: string, fields: Fields = {}): string =>
  JSON.stringify({ ...CLAUDE, hook_event_name: name, ...fields });
/** An event of Codex. */
export const codex = (name: string, fields: Fields = {}): string =>
  JSON.stringify({ ...CODEX, hook_event_name: name, ...fields });

export const bash = (command: string, more: Fields = {}): Fields => ({
  tool_name: 'Bash',
  tool_input: { command, description: 'What it is for', ...more },
});
