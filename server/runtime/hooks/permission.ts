/** A permission request as a question: the exact thing that would be done, or no question at all. docs/agent-hooks.md */
import { AGENT_NAMES, type Agent } from '../../protocol/hooks.ts';
import { visible } from '../../protocol/visible.ts';
import type { JsonObject, Language } from '../../protocol/words.ts';
import { baseName } from './base-name.ts';
import type { HookEvent, ToolUse } from './read-event.ts';

/** What the user may press; whatever else happens abstains. */
const OPTION_IDS = ['allow', 'deny'] as const;
type Behaviour = (typeof OPTION_IDS)[number];

/** Characters (code points) that a question's details can hold; longer ones cannot be shown exactly. */
const MAX_DETAILS = 4_000;
const MAX_TITLE = 160;
const MAX_PROJECT = 40;
/** Fields beside a command that change nothing about what it does. */
const ASIDE = new Set(['command', 'description', 'timeout', 'timeout_ms', 'run_in_background']);
/** These are questions themselves: an answer here would swallow the agent's own. */
const OWN_DIALOGS = new Set(['AskUserQuestion', 'ExitPlanMode']);
/** Here the user has said that they do not want to be asked. */
const SILENT_MODES = new Set(['bypassPermissions', 'dontAsk']);

const WORDS = {
  en: {
    run: (agent: string, project: string) => `${agent} in “${project}”: run this command?`,
    use: (agent: string, project: string, tool: string) => `${agent} in “${project}”: use ${tool}?`,
    labels: { allow: 'Allow', deny: 'Deny' },
    once: 'Just this once',
  },
  'zh-CN': {
    run: (agent: string, project: string) => `${agent}（${project}）：运行这条命令吗？`,
    use: (agent: string, project: string, tool: string) => `${agent}（${project}）：使用 ${tool} 吗？`,
    labels: { allow: '允许', deny: '拒绝' },
    once: '只允许这一次',
  },
} as const satisfies Record<Language, unknown>;

/** A command stands as it is; with anything else that matters, and for every other tool, all of the input does. */
function exactly({ input }: ToolUse): { readonly text: string; readonly isCommand: boolean } {
  const { command } = input;
  const isCommand = typeof command === 'string' && Object.keys(input).every((name) => ASIDE.has(name));
  return { text: visible(isCommand ? command : JSON.stringify(input, null, 2)), isCommand };
}

/** Reports whether the user has told the agent not to ask at all. */
export const isUnasked = ({ mode }: HookEvent): boolean => mode !== null && SILENT_MODES.has(mode);

/** The parameters of the question; null when it is not to be asked, or cannot be shown whole. */
export function permissionQuestion(agent: Agent, event: HookEvent, language: Language): JsonObject | null {
  const { tool, folder } = event;
  if (tool === null || OWN_DIALOGS.has(tool.name) || isUnasked(event)) return null;
  const { text, isCommand } = exactly(tool);
  const words = WORDS[language];
  const project = baseName(folder, MAX_PROJECT);
  const name = AGENT_NAMES[agent];
  const title = isCommand ? words.run(name, project) : words.use(name, project, visible(tool.name));
  if (text.trim() === '' || [...text].length > MAX_DETAILS || [...title].length > MAX_TITLE) return null;
  return {
    title,
    details: text,
    tone: 'warning',
    options: [
      { id: 'allow', label: words.labels.allow, description: words.once },
      { id: 'deny', label: words.labels.deny },
    ],
  };
}

/** What the hook prints for an answer; '' for what is none. Both agents read the same. */
export function permissionAnswer(result: unknown): string {
  const behavior: Behaviour | undefined = OPTION_IDS.find((id) => id === (result as JsonObject | null)?.selectedId);
  if (behavior === undefined) return '';
  const message = behavior === 'deny' ? { message: 'The user denied this.' } : {};
  return JSON.stringify({
    hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior, ...message } },
  });
}
