import type { Truth } from '../../api/fleet.ts';
import type { Verdict } from '../../domain/verdict/verdict.ts';
import { minute } from '../../domain/time/length.ts';

/** Sign before words: the plumb line of a sentence, or the glyph of a verdict. */
export type EmbedSign =
  | { readonly type: 'truth'; readonly truth: Truth }
  | { readonly type: 'verdict'; readonly verdict: Verdict };

/** One line of a list: what deviates, in words. `silent`: somebody should have been called, and nobody was. */
export interface EmbedLine {
  readonly verdict: Verdict;
  readonly silent: boolean;
  readonly title: string;
  readonly note: string;
  /** Its page, a path of this server. */
  readonly href: string;
}

/** One cell of a table; null where nothing is deployed. */
export type EmbedCell = {
  readonly verdict: Verdict;
  readonly silent: boolean;
  /** Note beyond its verdict, read aloud and shown on hover. */
  readonly note: string;
  readonly href: string;
} | null;

/** Clusters by columns. */
export interface EmbedTable {
  readonly columns: readonly string[];
  readonly rows: readonly { readonly title: string; readonly href: string; readonly cells: readonly EmbedCell[] }[];
}

/** Content that an embed or a badge shows of its scope at one moment. All texts are plain and are escaped where they are drawn. */
export interface EmbedContent {
  /** Name of what it speaks of: "Fleet", "environment=production", "eu-west-3", "checkout on eu-west-3" */
  readonly title: string;
  /** The page that shows more, a path of this server. */
  readonly href: string;
  /** null where a figure says it all. */
  readonly sign: EmbedSign | null;
  /** The part of the sentence that is said louder, '' for none, and the rest of it. */
  readonly lead: string;
  readonly sentence: string;
  /** Objects by verdict, worst first, those that there are. */
  readonly counts: readonly (readonly [Verdict, number])[];
  /** "In order or alarmed: 9,412; nobody is being called: 2": the sentence counted; '' where it speaks of one object. */
  readonly standing: string;
  readonly lines: readonly EmbedLine[];
  readonly table: EmbedTable | null;
  /** Words on what the list or the table leaves out; '' for nothing. */
  readonly more: string;
  /** The same in two or three words, for a badge, with its sign; `silent` is loud. */
  readonly badge: { readonly sign: EmbedSign | null; readonly words: string; readonly silent: boolean };
}

/** When it was made (ms), and how it is to be drawn. */
export interface EmbedFrame {
  readonly madeAt: number;
  readonly theme: 'auto' | 'light' | 'dark';
  /** A simulated fleet says so. */
  readonly simulated: boolean;
}

/** For how long (ms) an embed or a badge may be taken for the present: past it, it greys itself out. */
export const embedValidity = 5 * minute;
/** Interval (s) at which an embed looks for news. */
export const embedRefresh = 60;
