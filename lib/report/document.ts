import type { Verdict } from '../domain/verdict/verdict.ts';

/** A piece of a text: plain, weighty, or leading somewhere (a path of this program, or an anchor). */
export interface Piece {
  readonly text: string;
  readonly strong?: true;
  readonly href?: string;
}

/** A sentence or paragraph. */
export type Text = readonly Piece[];

/** One cell of a table. */
export interface Cell {
  readonly text: string;
  readonly href?: string;
  /** The commit that the text is the first digits of. */
  readonly commit?: string;
  /** Its glyph stands before the text. */
  readonly verdict?: Verdict;
}

/** A table; `none` is what stands there where it has no rows. */
export interface DocumentTable {
  readonly columns: readonly { readonly title: string; readonly right?: true }[];
  readonly rows: readonly (readonly Cell[])[];
  readonly none: string;
  /** Words on what is not listed, that may lead to it; without text where all is. */
  readonly more: Pick<Cell, 'text' | 'href'>;
}

/** A part of a report. `picture` says which chart is drawn above its table. */
export interface DocumentSection {
  readonly id: string;
  readonly title: string;
  readonly note: string;
  readonly picture: 'days' | 'distribution' | null;
  readonly table: DocumentTable;
}

/** Makes a section of its table, without a chart and with nothing left out where nothing else is said. */
export function sectionOf({
  id,
  title,
  note,
  picture = null,
  columns,
  rows,
  none = '',
  more = { text: '' },
}: Pick<DocumentSection, 'id' | 'title' | 'note'> &
  Pick<DocumentTable, 'columns' | 'rows'> &
  Partial<Pick<DocumentSection, 'picture'> & Pick<DocumentTable, 'none' | 'more'>>): DocumentSection {
  return { id, title, note, picture, table: { columns, rows, none, more } };
}

/** Columns of figures, which stand on the right. */
export function figureColumns(...titles: readonly string[]): DocumentTable['columns'] {
  return titles.map((title) => ({ title, right: true }));
}

/** One of the few figures at the top of a report. */
export interface SummaryFigure {
  readonly label: string;
  readonly value: string;
  /** Meaning in one line, for a reader who has never seen Kubernetes. */
  readonly meaning: string;
  /** Value in the period before, or why it cannot be said. */
  readonly note: string;
  readonly href: string | null;
}

/** A report in words and tables, the same for the page, the printed file and the mail. */
export interface ReportDocument {
  readonly title: string;
  readonly subtitle: string;
  /** Notices to know before any figure is believed: simulated, partly recorded, still lasting. */
  readonly notices: readonly string[];
  /** Number of incidents and what became of them, in sentences, and the worst of them: null where that cannot be told. */
  readonly lead: readonly Text[];
  readonly worst: DocumentSection | null;
  readonly figures: readonly SummaryFigure[];
  /** Time away, converged, observed and past the deadline, in sentences. */
  readonly times: readonly Text[];
  readonly sections: readonly DocumentSection[];
  /** Meaning of the words, for a reader who has never seen Kubernetes. */
  readonly reading: readonly { readonly term: string; readonly meaning: string }[];
  /** Of when, by what, where to find it again. */
  readonly foot: readonly string[];
  readonly self: string;
}
