/** One numbered step of the store's schema. A step that was released is never edited; the next one gets the next number. */
export interface Migration {
  /** 1, 2, 3, ... without gaps; a store's version is that of its last step. */
  readonly version: number;
  /** What the step is for, for the log. */
  readonly name: string;
  /** The statements for SQLite, run in one transaction. */
  readonly sqlite: string;
}
