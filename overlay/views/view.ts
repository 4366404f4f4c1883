/** What each view of a card is given. Views know no capability and no link. */

import type { CardPresentation } from '../../server/protocol/presentation.ts';
import type { Control } from '../../server/protocol/snapshot.ts';
import type { JsonObject } from '../../server/protocol/words.ts';
import type { Trouble } from '../model.ts';

export interface ViewProps<Name extends CardPresentation['view']> {
  readonly requestId: string;
  readonly presentation: Extract<CardPresentation, { view: Name }>;
  /** An answer is on its way. */
  readonly busy: boolean;
  readonly trouble: Trouble | null;
  readonly control: Control | null;
  /** Epoch ms. */
  readonly deadlineAt: number;
  readonly answer: (result: JsonObject) => void;
  readonly decline: () => void;
  readonly press: (action: Control['action']) => void;
}

/** DOM IDs inside a card; a request ID may hold any character, an IDREF no space. */
export const partId = (requestId: string, part: string): string => `c-${requestId.replace(/\W/g, '_')}-${part}`;
