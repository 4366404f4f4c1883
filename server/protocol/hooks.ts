/** The words of agents' hooks: whose they are, and what a session of an agent is doing. docs/agent-hooks.md */

export const AGENTS = ['claude-code', 'codex'] as const;
export type Agent = (typeof AGENTS)[number];

/** As people call them. */
export const AGENT_NAMES: Readonly<Record<Agent, string>> = { 'claude-code': 'Claude Code', codex: 'Codex' };

/** Most urgent first: the order in which sessions are listed. `idle`: it is open, and nothing has been heard of it lately. */
export const SESSION_STATES = ['needs-you', 'failed', 'working', 'done', 'idle'] as const;
export type SessionState = (typeof SESSION_STATES)[number];

/** One session of an agent as the page shows it. */
export interface SessionLine {
  /** The host's own name for it. */
  readonly key: string;
  /** As the agent calls it. */
  readonly sessionId: string;
  readonly agent: Agent;
  /** Last part of the folder it works in. */
  readonly project: string;
  /** That folder; what a press copies where no terminal can be raised. */
  readonly path: string;
  readonly state: SessionState;
  /** What is known of the terminal it was heard from, in its own words; '' for nothing. */
  readonly where: string;
  /** That terminal can be told and may be raised. */
  readonly raises: boolean;
}

/** Where a hook's standard input may be posted as it is; the agent follows. */
export const HOOK_PATH = '/hook/';
