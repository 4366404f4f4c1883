/** Sessions of coding agents beside the figure, a line each. The list has room of its own: no card moves for it, and no line under the pointer. */
import { useRef } from 'preact/hooks';
import { AGENT_NAMES, type SessionLine } from '../../server/protocol/hooks.ts';
import { useShell } from '../shell.ts';

interface SessionsProps {
  readonly sessions: readonly SessionLine[];
  /** Key of the line whose folder has just been copied. */
  readonly copied: string | null;
}

/** One session that wants nothing is told by its name and the colour of its mark alone. */
export const isFolded = (sessions: readonly SessionLine[]): boolean =>
  sessions.length === 1 && sessions.every(({ state }) => state !== 'needs-you' && state !== 'failed');

/** `now` with those that were there `before` in that order: for as long as the pointer is on them, lines stay. */
export function inOldOrder(before: readonly string[], now: readonly SessionLine[]): readonly SessionLine[] {
  const place = ({ key }: SessionLine): number => (before.includes(key) ? before.indexOf(key) : before.length);
  return [...now].sort((a, b) => place(a) - place(b));
}

export function Sessions({ sessions, copied }: SessionsProps) {
  const { words } = useShell();
  const list = useRef<HTMLUListElement>(null);
  const order = useRef<readonly string[]>([]);
  const isHeld = list.current?.matches(':hover, :focus-within') ?? false;
  const lines = isHeld ? inOldOrder(order.current, sessions) : sessions;
  order.current = lines.map(({ key }) => key);
  if (lines.length === 0) return null;
  const folded = isFolded(sessions);
  return (
    <div class="sessions-place" data-folded={folded}>
      <ul
        class="sessions"
        ref={list}
        data-role="sessions"
        data-count={lines.length}
        data-folded={folded}
        data-scroll
        aria-label={words.sessions}
      >
        {lines.map((line) => (
          <li key={line.key}>
            <Line line={line} isCopied={line.key === copied} folded={folded} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Line({
  line,
  isCopied,
  folded,
}: {
  readonly line: SessionLine;
  readonly isCopied: boolean;
  readonly folded: boolean;
}) {
  const { words, send } = useShell();
  const { key, sessionId, agent, project, path, state, where, raises } = line;
  const does = raises ? words.sessionRaises : words.sessionCopies;
  return (
    <button
      type="button"
      class="session"
      data-session-id={sessionId}
      data-agent={agent}
      data-state={state}
      title={`${[AGENT_NAMES[agent], path, where].filter(Boolean).join(' · ')}\n${does}`}
      aria-label={`${project} ${isCopied ? words.sessionCopied : words.sessionStates[state]}, ${AGENT_NAMES[agent]}. ${does}`}
      onClick={() => send({ type: 'session', key })}
    >
      <span class="session-mark" aria-hidden="true" />
      <bdi class="session-project" dir="auto">
        {project}
      </bdi>{' '}
      {(!folded || isCopied) && (
        <span class="session-state">{isCopied ? words.sessionCopied : words.sessionStates[state]}</span>
      )}
    </button>
  );
}
