/** Visits a stretch [from, to) (ms) in which the same was known of an object; `verdict` is its position in `verdicts`. */
export type PieceVisitor = (
  object: number,
  cluster: number,
  kind: number,
  verdict: number,
  from: number,
  to: number,
) => void;

/** The ids of an object's cluster and kind. */
export interface ObjectIds {
  readonly cluster: number;
  readonly kind: number;
}

/** Spans that stood at some time, column by column: numbers alone, for there may be a million. */
export interface StoodSpans {
  readonly objects: Int32Array;
  readonly clusters: Int32Array;
  /** Ids of kinds. */
  readonly kinds: Int32Array;
  /** By their positions in `verdicts`. */
  readonly verdicts: Uint8Array;
  /** ms; Infinity for one that had not ended when this was written down. */
  readonly until: Float64Array;
  /** Ids of the objects of the scope of which no span stood, as far as they were known: those up to one. */
  readonly others: Int32Array;
  readonly knownUpTo: number;
}
