/** One numbered step of the store's schema. A step that was released is never edited; the next one gets the next number. */
export interface Migration {
  /** One more than that of the step before, from 13 on: versions 1 to 12 were layouts before the first release. */
  readonly version: number;
  /** Purpose of the step, for the log. */
  readonly name: string;
  /** The statements for SQLite, run in one transaction. */
  readonly sqlite: string;
}
