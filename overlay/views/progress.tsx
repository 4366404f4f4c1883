/** Something that takes long: how far, which phase, and what the user has asked of its owner. Still while it stands still. */
import type { Control } from '../../server/protocol/snapshot.ts';
import { useShell } from '../shell.ts';
import { partId, type ViewProps } from './view.ts';

/** What was asked and not yet acted on; the owner answers by `paused`. A cancel stays asked until the card ends. */
export function pendingControl(control: Control | null, paused: boolean): Control['action'] | null {
  if (control === null || control.action === 'cancel') return control?.action ?? null;
  return (control.action === 'pause') === paused ? null : control.action;
}

export function ProgressView({ requestId, presentation, control, busy, press }: ViewProps<'progress'>) {
  const { words } = useShell();
  const { percent, phase, message, paused, controls } = presentation;
  const pending = pendingControl(control, paused);
  const shown = percent === null ? null : Math.round(percent);
  const state = shown === null ? words.underWay : words.percent(shown);
  return (
    <>
      <div
        class="bar"
        role="progressbar"
        aria-labelledby={partId(requestId, 'title')}
        aria-valuemin={0}
        aria-valuemax={100}
        {...(shown === null ? {} : { 'aria-valuenow': shown })}
        aria-valuetext={state}
        data-indeterminate={shown === null}
        data-paused={paused}
      >
        <div class="bar-fill" style={{ inlineSize: shown === null ? '100%' : `${percent}%` }} />
      </div>
      <p class="progress-line">
        <span class="percent">{state}</span>
        {phase !== null && (
          <span class="phase" dir="auto">
            {phase}
          </span>
        )}
        {paused && <span class="chip">{words.paused}</span>}
        {pending !== null && (
          <span class="chip" data-role="asked">
            {words.asked[pending]}
          </span>
        )}
      </p>
      {message !== null && (
        <p class="text small" id={partId(requestId, 'text')} dir="auto">
          {message}
        </p>
      )}
      {controls.length > 0 && (
        <footer class="actions">
          {controls.includes('pause') && (
            <ControlButton action={paused ? 'resume' : 'pause'} pending={pending} busy={busy} press={press} />
          )}
          {controls.includes('cancel') && <ControlButton action="cancel" pending={pending} busy={busy} press={press} />}
        </footer>
      )}
    </>
  );
}

interface ControlButtonProps {
  readonly action: Control['action'];
  readonly pending: Control['action'] | null;
  readonly busy: boolean;
  readonly press: (action: Control['action']) => void;
}

function ControlButton({ action, pending, busy, press }: ControlButtonProps) {
  const { words } = useShell();
  return (
    <button
      type="button"
      class="button"
      data-action={action}
      disabled={busy || pending === action}
      onClick={() => press(action)}
    >
      {words[action]}
    </button>
  );
}
