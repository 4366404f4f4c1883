/** The companion menu: everything the user decides, one press each. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Settings } from '../../server/protocol/settings.ts';
import { FULL_SCREEN_POLICIES, type MonitorChoice } from '../../server/protocol/window.ts';
import { LANGUAGES, type Language, STYLE_IDS } from '../../server/protocol/words.ts';
import { openPage, useShell } from '../shell.ts';
import { WORDS } from '../words.ts';

const SIZE = { step: 25, least: 50, most: 300 } as const;

/** The value after `value` in a round of `values`. */
export function nextOf<Value>(values: readonly Value[], value: Value): Value {
  return values[(values.indexOf(value) + 1) % values.length]!;
}

/** The next language choice: first one that reads differently, so that a press is seen; at the end of the round by locale again. */
export function nextLanguage(chosen: Language | null, shown: Language): Language | null {
  const others = LANGUAGES.filter((language) => language !== shown);
  return chosen === null ? others[0]! : nextOf([null, ...LANGUAGES], chosen);
}

/** The screen after the one the figure is on; null when there is no other. */
export function nextMonitor(monitors: readonly MonitorChoice[]): string | null {
  const at = monitors.findIndex(({ current }) => current);
  return monitors.length < 2 ? null : monitors[(at + 1) % monitors.length]!.name;
}

/** The style property that says how far from the figure's feet the menu begins. */
const FROM_PROPERTY = '--from';

/** Keeps `menu` where it is until the pointer leaves it, so that a second press means what the first one did, however the figure grows. */
function stayUnderPointer(menu: HTMLElement): void {
  if (!menu.matches(':hover')) return;
  const { insetBlockStart, insetBlockEnd } = getComputedStyle(menu);
  const isBelow = document.documentElement.dataset.stack === 'below';
  menu.style.setProperty(FROM_PROPERTY, isBelow ? insetBlockStart : insetBlockEnd);
}

interface MenuProps {
  readonly settings: Settings;
  /** Notices that were kept from the user so far. */
  readonly missed: number;
  /** The screens the figure can be on; only the see-through window knows. */
  readonly monitors: readonly MonitorChoice[];
  readonly close: () => void;
}

export function Menu({ settings, missed, monitors, close }: MenuProps) {
  const shell = useShell();
  const { words, language, send, toWindow } = shell;
  const root = useRef<HTMLDivElement>(null);
  // The user has just asked for the menu, so it may take the focus; everything else on the page waits to be given it.
  useLayoutEffect(() => root.current?.querySelector('button')?.focus(), []);
  const set = (patch: Partial<Settings>) => (): void => send({ type: 'settings', patch });
  const resize = (by: number) => (): void => {
    if (root.current !== null) stayUnderPointer(root.current);
    set({ sizePercent: Math.min(SIZE.most, Math.max(SIZE.least, settings.sizePercent + by)) })();
  };
  const { reduceMotion, paused, doNotDisturb, style, sounds, fullScreen } = settings;
  const monitor = nextMonitor(monitors);
  return (
    <div
      class="menu"
      ref={root}
      data-role="menu"
      data-scroll
      role="dialog"
      tabIndex={-1}
      aria-label={words.menu}
      onKeyDown={(event) => handleMenuKey(event, close)}
      onMouseLeave={({ currentTarget }) => currentTarget.style.removeProperty(FROM_PROPERTY)}
    >
      <Row
        action="answers"
        label={words.menuAnswers}
        value={missed > 0 ? words.keptCount(missed) : undefined}
        onPress={() => openPage(shell, 'answers')}
      />
      <Row
        action="access"
        label={words.menuAccess}
        value={settings.access ? words.on : words.off}
        onPress={() => openPage(shell, 'access')}
      />
      <Row action="characters" label={words.menuCharacters} onPress={() => openPage(shell, 'characters')} />
      <hr />
      <Row
        action={paused ? 'resume-access' : 'pause-access'}
        label={paused ? words.menuResume : words.menuPause}
        onPress={set({ paused: !paused })}
      />
      <Row
        action="dnd"
        label={words.doNotDisturb}
        value={doNotDisturb ? words.on : words.off}
        pressed={doNotDisturb}
        onPress={set({ doNotDisturb: !doNotDisturb })}
      />
      <Row
        action="sounds"
        label={words.menuSounds}
        value={sounds ? words.on : words.off}
        pressed={sounds}
        onPress={set({ sounds: !sounds })}
      />
      <Row
        action="full-screen"
        label={words.menuFullScreen}
        value={words.fullScreenPolicies[fullScreen]}
        onPress={set({ fullScreen: nextOf(FULL_SCREEN_POLICIES, fullScreen) })}
      />
      <Row action="hide" label={words.menuHide} onPress={set({ hidden: true })} />
      <hr />
      <div class="menu-row" role="group" aria-label={words.menuSize}>
        <span>{words.menuSize}</span>
        <Step
          action="smaller"
          label={words.menuSmaller}
          sign="−"
          off={settings.sizePercent <= SIZE.least}
          onPress={resize(-SIZE.step)}
        />
        <span class="menu-value" data-role="size">
          {words.percent(settings.sizePercent)}
        </span>
        <Step
          action="larger"
          label={words.menuLarger}
          sign="+"
          off={settings.sizePercent >= SIZE.most}
          onPress={resize(SIZE.step)}
        />
      </div>
      <Row
        action="style"
        label={words.menuStyle}
        value={words.styleNames[style]}
        onPress={set({ style: nextOf(STYLE_IDS, style) })}
      />
      <Row
        action="reduce-motion"
        label={words.menuMotion}
        value={reduceMotion === null ? words.system : reduceMotion ? words.on : words.off}
        onPress={set({ reduceMotion: nextOf([null, true, false], reduceMotion) })}
      />
      <Row
        action="language"
        label={words.menuLanguage}
        value={settings.language === null ? words.system : WORDS[settings.language].languageName}
        onPress={set({ language: nextLanguage(settings.language, language) })}
      />
      <hr />
      {monitor !== null && (
        <Row
          action="move-monitor"
          label={words.menuMoveMonitor}
          onPress={() => toWindow({ type: 'moveTo', monitor })}
        />
      )}
      <Row
        action="reset-position"
        label={words.menuResetPosition}
        onPress={() => toWindow({ type: 'resetPosition' })}
      />
    </div>
  );
}

interface RowProps {
  readonly action: string;
  readonly label: string;
  readonly value?: string | undefined;
  readonly pressed?: boolean;
  readonly onPress: () => void;
}

const Row = ({ action, label, value, pressed, onPress }: RowProps) => (
  <button type="button" class="menu-row" data-action={action} aria-pressed={pressed} onClick={onPress}>
    <span>{label}</span>
    {value !== undefined && <span class="menu-value">{value}</span>}
  </button>
);

interface StepProps {
  readonly action: string;
  readonly label: string;
  readonly sign: string;
  readonly off: boolean;
  readonly onPress: () => void;
}

const Step = ({ action, label, sign, off, onPress }: StepProps) => (
  <button type="button" class="icon-button" data-action={action} aria-label={label} disabled={off} onClick={onPress}>
    {sign}
  </button>
);

function handleMenuKey(event: KeyboardEvent & { readonly currentTarget: HTMLElement }, close: () => void): void {
  const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('button:enabled')];
  const at = buttons.indexOf(event.target as HTMLButtonElement);
  const to: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
  if (event.key === 'Escape') {
    event.stopPropagation();
    close();
  } else if (to[event.key] !== undefined) {
    event.preventDefault();
    buttons.at(to[event.key]! % buttons.length)?.focus();
  }
}
