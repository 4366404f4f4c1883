/** Access: the switch first, then who has been let in and for what, then what is kept and how to be rid of it. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { AccessRow, PageMessage } from '../../server/protocol/link.ts';
import type { Settings } from '../../server/protocol/settings.ts';
import type { Access } from '../model.ts';
import { useShell } from '../shell.ts';
import { codePoints, formatDate } from '../text.ts';
import { Confirm } from './confirm.tsx';
import { Panel } from './panel.tsx';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const MAX_NAME = 64;

interface AccessPageProps {
  readonly settings: Settings;
  readonly access: Access | null;
}

export function AccessPage({ settings, access }: AccessPageProps) {
  const { words, send } = useShell();
  const on = settings.access;
  return (
    <Panel name="access" title={words.accessTitle}>
      <button
        type="button"
        class="switch"
        role="switch"
        aria-checked={on}
        data-action={on ? 'disable-access' : 'enable-access'}
        onClick={() => send({ type: 'settings', patch: { access: !on } })}
      >
        <span>{words.accessSwitch}</span>
        <span class="hint">{on ? words.accessOn : words.accessOff}</span>
      </button>
      {access === null ? <p class="hint">{words.answersLoading}</p> : <Loaded access={access} />}
    </Panel>
  );
}

/** Sends a change, then asks for the page anew. */
function useChange(): (message: PageMessage) => void {
  const { send } = useShell();
  return (message) => {
    send(message);
    send({ type: 'open', page: 'access' });
  };
}

function Loaded({ access }: { readonly access: Access }) {
  const { words } = useShell();
  const change = useChange();
  return (
    <>
      <h3>{words.keptTitle}</h3>
      <p class="text small">
        {words.keptText(access.kept, Math.round(access.resultMs / HOUR_MS), Math.round(access.tombstoneMs / DAY_MS))}
      </p>
      <p class="text small">
        {words.keptWhere} <code dir="ltr">{access.folder}</code>
      </p>
      <Confirm
        action="erase"
        label={words.erase}
        sure={words.eraseSure}
        onSure={() => change({ type: 'erase', clientId: null })}
      />
      <h3>{words.programs}</h3>
      {access.clients.length === 0 ? (
        <p class="hint">{words.accessNobody}</p>
      ) : (
        <ul class="rows">
          {access.clients.map((client) => (
            <ClientRow key={client.clientId} client={client} />
          ))}
        </ul>
      )}
    </>
  );
}

function ClientRow({ client }: { readonly client: AccessRow }) {
  const { words, language } = useShell();
  const change = useChange();
  const { clientId, scopes, createdAt, lastUsedAt, unfinished } = client;
  const used = lastUsedAt === null ? words.neverUsed : words.lastUsed(formatDate(language, lastUsedAt));
  return (
    <li class="row" data-client-id={clientId}>
      <NameLine client={client} rename={(name) => change({ type: 'rename', clientId, name })} />
      <p class="hint">
        {words.since(formatDate(language, createdAt))} · {used}
        {unfinished > 0 && ` · ${words.unfinished(unfinished)}`}
      </p>
      <p class="label">{words.mayDo}</p>
      <ul class="may">
        {scopes.map((scope) => (
          <li key={scope}>{words.scopes[scope]}</li>
        ))}
      </ul>
      <div class="row-actions">
        <Confirm
          action="revoke"
          label={words.revoke}
          sure={words.revokeSure}
          warning={words.revokeWarning}
          onSure={() => change({ type: 'revoke', clientId })}
        />
        <Confirm
          action="erase"
          label={words.eraseOne}
          sure={words.eraseSure}
          onSure={() => change({ type: 'erase', clientId })}
        />
      </div>
    </li>
  );
}

interface NameLineProps {
  readonly client: AccessRow;
  readonly rename: (name: string) => void;
}

function NameLine({ client, rename }: NameLineProps) {
  const { words } = useShell();
  const field = useRef<HTMLInputElement>(null);
  const [draft, setDraft] = useState<string | null>(null);
  /** The name that was sent last; the host's next list tells whether it was taken. */
  const [sent, setSent] = useState<string | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const name = draft?.trim().normalize('NFC') ?? '';
  const fits = codePoints(name) >= 1 && codePoints(name) <= MAX_NAME;
  const edit = (next: string | null): void => {
    setDraft(next);
    setSent(null);
    setRefused(null);
  };
  const save = (): void => {
    setRefused(fits ? null : name);
    if (!fits) return;
    setSent(name);
    rename(name);
  };
  useEffect(() => {
    if (sent === null) return;
    if (client.name.normalize('NFC') === sent) edit(null);
    else setRefused(sent);
  }, [client]);
  useEffect(() => field.current?.select(), [draft === null]);
  if (draft === null)
    return (
      <div class="name-line">
        <bdi class="name" dir="auto">
          {client.name}
        </bdi>
        <button type="button" class="button quiet" data-action="rename" onClick={() => edit(client.name)}>
          {words.rename}
        </button>
      </div>
    );
  return (
    <div class="name-line">
      <input
        class="field"
        ref={field}
        data-role="client-name"
        dir="auto"
        aria-label={words.newName}
        autocomplete="off"
        spellcheck={false}
        value={draft}
        aria-invalid={refused !== null}
        aria-describedby={`name-fault-${client.clientId}`}
        onInput={(event) => edit(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && !event.isComposing && save()}
      />
      <button type="button" class="button primary" data-action="save-name" onClick={save}>
        {words.save}
      </button>
      <button type="button" class="button quiet" data-action="keep" onClick={() => edit(null)}>
        {words.keep}
      </button>
      <p class="fault" id={`name-fault-${client.clientId}`} role="status" data-role="name-fault">
        {refused !== null && words.nameRefused}
      </p>
    </div>
  );
}
