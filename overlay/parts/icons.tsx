/** Small pictures drawn in place: one silhouette per tone, so that no meaning hangs on colour alone. */
import type { ComponentChildren } from 'preact';
import type { Tone } from '../../server/protocol/words.ts';

interface IconProps {
  readonly children: ComponentChildren;
}

const Icon = ({ children }: IconProps) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
    {children}
  </svg>
);

const line = {
  fill: 'none',
  stroke: 'currentColor',
  'stroke-width': 1.8,
  'stroke-linecap': 'round',
  'stroke-linejoin': 'round',
} as const;
const mark = { ...line, class: 'icon-mark' } as const;

/** Circle, rounded square with a tick, triangle, octagon. */
const TONE_SHAPES: Readonly<Record<Tone, ComponentChildren>> = {
  information: (
    <>
      <circle cx="8" cy="8" r="7.4" fill="currentColor" />
      <path d="M8 7.4v4M8 4.6v.1" {...mark} />
    </>
  ),
  success: (
    <>
      <rect x="0.8" y="0.8" width="14.4" height="14.4" rx="4" fill="currentColor" />
      <path d="M4.6 8.3l2.4 2.4 4.4-5" {...mark} />
    </>
  ),
  warning: (
    <>
      <path
        d="M8 1.2 15.2 14.4H.8Z"
        fill="currentColor"
        stroke="currentColor"
        stroke-width="1.4"
        stroke-linejoin="round"
      />
      <path d="M8 6v3.6M8 12v.1" {...mark} />
    </>
  ),
  error: (
    <>
      <path d="M5 .7h6L15.3 5v6L11 15.3H5L.7 11V5Z" fill="currentColor" />
      <path d="M5.6 5.6l4.8 4.8M10.4 5.6l-4.8 4.8" {...mark} />
    </>
  ),
};

export const ToneIcon = ({ tone }: { readonly tone: Tone }) => <Icon>{TONE_SHAPES[tone]}</Icon>;

export const CloseIcon = () => (
  <Icon>
    <path d="M4 4l8 8M12 4l-8 8" {...line} />
  </Icon>
);

export const PauseIcon = () => (
  <Icon>
    <path d="M5.5 3.5v9M10.5 3.5v9" {...line} />
  </Icon>
);

export const MoonIcon = () => (
  <Icon>
    <path d="M13 9.6A5.6 5.6 0 0 1 6.4 3a5.6 5.6 0 1 0 6.6 6.6Z" {...line} />
  </Icon>
);

/** The static cue of a clip that plays without motion. */
export const SparkIcon = () => (
  <Icon>
    <path d="M8 1.5l1.6 4.9 4.9 1.6-4.9 1.6L8 14.5 6.4 9.6 1.5 8l4.9-1.6Z" fill="currentColor" />
  </Icon>
);

export const FigureIcon = () => (
  <Icon>
    <path d="M3 13.5V8a5 5 0 0 1 10 0v5.5l-2-1.4-1.6 1.4L8 12.1l-1.4 1.4L5 12.1Z" {...line} />
    <path d="M6.2 7.6v.1M9.8 7.6v.1" {...line} />
  </Icon>
);
