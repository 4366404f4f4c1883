/** Rows of label and value, as clients of the interface draw them. */

export interface Row {
  readonly label: string;
  readonly value: string;
  readonly highlight: boolean;
}

export const row = (label: string, value: string, highlight = false): Row => ({ label, value, highlight });
