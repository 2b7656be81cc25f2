/** A stored record. `ordinal` tells which of two rows was inserted first; a put over an existing id keeps it. */
export interface Row {
  readonly id: string;
  readonly record: unknown;
  readonly ordinal: number;
}
