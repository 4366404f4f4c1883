/** A program asks to be let in: its name as untrusted text, what it wants in plain words, the code, and what will be kept. R7. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PairingCard } from '../../server/protocol/link.ts';
import type { Scope } from '../../server/protocol/words.ts';
import type { Placed } from '../arrange.ts';
import { PAIRING_KEY } from '../model.ts';
import { useShell } from '../shell.ts';
import { codePoints, showHidden } from '../text.ts';
import { placeStyle } from './card.tsx';
import { ToneIcon } from './icons.tsx';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const MAX_NAME = 64;
/** So little below the edge is no text. */
const UNSEEN_PX = 12;

interface PairingProps {
  readonly pairing: PairingCard;
  readonly waiting: number;
  /** How long questions and answers are kept after their end. */
  readonly keptMs: number;
  readonly place: Placed;
}

/** Whole minutes left, rounded up; looks again only when that number changes. */
function useMinutesLeft(expiresAt: number): number {
  const [, look] = useState(0);
  const leftMs = Math.max(0, expiresAt - Date.now());
  const minutes = Math.ceil(leftMs / MINUTE_MS);
  useEffect(() => {
    if (minutes <= 1) return;
    const timer = setTimeout(() => look(minutes), leftMs - (minutes - 1) * MINUTE_MS + 1);
    return () => clearTimeout(timer);
  }, [minutes]);
  return minutes;
}

/** Scrolls on to what of the card has not been on screen yet; false when there is nothing left. */
function showRest(body: HTMLElement): boolean {
  const hiddenPx = body.scrollHeight - body.clientHeight - body.scrollTop;
  if (hiddenPx <= UNSEEN_PX) return false;
  // Less than a page on, as the row of buttons lies over its end.
  body.scrollBy({ top: body.clientHeight * 0.7 });
  return true;
}

export function Pairing({ pairing, waiting, keptMs, place }: PairingProps) {
  const { words, send } = useShell();
  const { pairingId, scopes: asked } = pairing;
  const [name, setName] = useState(showHidden(pairing.name));
  const [scopes, setScopes] = useState<ReadonlySet<Scope>>(new Set(asked));
  const [sent, setSent] = useState(false);
  const body = useRef<HTMLDivElement>(null);
  const minutes = useMinutesLeft(pairing.expiresAt);
  const length = codePoints(name.trim());
  const fault = length < 1 || length > MAX_NAME ? words.nameNeeded : scopes.size === 0 ? words.scopeNeeded : null;
  const toggle = (scope: Scope): void => {
    const next = new Set(scopes);
    if (!next.delete(scope)) next.add(scope);
    setScopes(next);
  };
  const approve = (): void => {
    // In a window too low for the card nobody lets in what they have not seen: a press shows the rest first.
    if (fault !== null || (body.current !== null && showRest(body.current))) return;
    setSent(true);
    send({ type: 'approve', pairingId, name: name.trim(), scopes: asked.filter((scope) => scopes.has(scope)) });
  };
  const deny = (): void => {
    setSent(true);
    send({ type: 'deny', pairingId });
  };
  return (
    <section
      class="card pairing"
      data-card={`${PAIRING_KEY}:${pairingId}`}
      data-pairing-id={pairingId}
      data-style="plain"
      role="dialog"
      aria-labelledby="pairing-title"
      tabIndex={-1}
      style={placeStyle(place)}
    >
      <header class="card-head">
        <span class="tone" data-tone="warning">
          <ToneIcon tone="warning" />
        </span>
        <h2 class="title" id="pairing-title">
          {words.pairingTitle}
        </h2>
      </header>
      <div class="card-body" data-scroll ref={body}>
        <dl class="facts">
          <dt>{words.pairingName}</dt>
          <dd>
            <bdi class="claimed" data-role="claimed-name" dir="auto">
              {showHidden(pairing.name)}
            </bdi>
          </dd>
          {pairing.about !== null && (
            <>
              <dt>{words.pairingAbout}</dt>
              <dd class="quote" dir="auto" data-role="about">
                {showHidden(pairing.about)}
              </dd>
            </>
          )}
        </dl>
        <p class="hint">{words.pairingUnproven}</p>
        <p class="label" id="pairing-code">
          {words.pairingCode}
        </p>
        <p class="code" data-role="code" aria-labelledby="pairing-code" role="group">
          {pairing.code}
        </p>
        <fieldset class="scopes">
          <legend class="label">{words.pairingScopes}</legend>
          {asked.map((scope) => (
            <button
              key={scope}
              type="button"
              class="option"
              role="checkbox"
              data-scope={scope}
              aria-checked={scopes.has(scope)}
              disabled={sent}
              onClick={() => toggle(scope)}
            >
              <span class="option-label">{words.scopes[scope]}</span>
            </button>
          ))}
        </fieldset>
        <p class="kept" data-role="kept">
          {words.pairingKept(Math.round(keptMs / HOUR_MS))} {words.pairingElsewhere}
        </p>
        <label class="label" for="pairing-name">
          {words.pairingNameHint}
        </label>
        <input
          id="pairing-name"
          class="field"
          data-role="pairing-name"
          dir="auto"
          autocomplete="off"
          spellcheck={false}
          value={name}
          disabled={sent}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <p class={fault === null ? 'hint' : 'fault'} role="status">
          {fault ?? words.pairingExpires(minutes)} {waiting > 0 && words.pairingMore(waiting)}
        </p>
        <footer class="actions">
          <button type="button" class="button" data-action="deny" disabled={sent} onClick={deny}>
            {words.deny}
          </button>
          <button
            type="button"
            class="button primary"
            data-action="approve"
            disabled={sent}
            aria-disabled={fault !== null}
            onClick={approve}
          >
            {words.approve}
          </button>
        </footer>
      </div>
    </section>
  );
}
