/** What a view is given to draw: data only, never markup or code. One member per view (R18). */
import type { JsonObject, Tone } from './words.ts';

export interface OptionItem {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
}

export interface FormField {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'enum';
  readonly required: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly options?: readonly OptionItem[];
}

export type Presentation =
  | { readonly view: 'clip'; readonly loops: number }
  | {
      readonly view: 'notice';
      readonly tone: Tone;
      readonly title: string | null;
      readonly text: string;
      readonly durationMs: number;
    }
  | {
      readonly view: 'progress';
      readonly tone: Tone;
      readonly title: string;
      readonly percent: number | null;
      readonly message: string | null;
      readonly phase: string | null;
      readonly paused: boolean;
      readonly controls: readonly ('pause' | 'cancel')[];
    }
  | {
      readonly view: 'choice';
      readonly tone: Tone;
      readonly title: string;
      readonly details: string | null;
      readonly options: readonly OptionItem[];
      readonly suggestedId: string | null;
      readonly allowDecline: boolean;
    }
  | {
      readonly view: 'text';
      readonly tone: Tone;
      readonly title: string;
      readonly details: string | null;
      readonly placeholder: string | null;
      readonly maxLength: number;
      readonly multiline: boolean;
      readonly masked: boolean;
      readonly allowDecline: boolean;
    }
  | {
      readonly view: 'choices';
      readonly tone: Tone;
      readonly title: string;
      readonly details: string | null;
      readonly options: readonly OptionItem[];
      readonly min: number;
      readonly max: number;
      readonly allowDecline: boolean;
    }
  | {
      readonly view: 'form';
      readonly tone: Tone;
      readonly title: string;
      readonly details: string | null;
      readonly fields: readonly FormField[];
      readonly allowDecline: boolean;
    };

export type CardPresentation = Exclude<Presentation, { readonly view: 'clip' }>;

/** The answer a card hands back, before the capability has checked it. */
export type Answer = JsonObject;
