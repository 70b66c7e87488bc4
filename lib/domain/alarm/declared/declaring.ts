import type { SourceBook } from '../book/source-book.ts';
import type { Labels } from '../fact.ts';
import { isBelieved, type AlarmProgram } from '../source.ts';
import { minute } from '../../time/length.ts';
import type { AlertmanagerConfigFact, Declared, PrometheusRuleFact } from './declared.ts';

/** A fault of one object, which several clusters may share. */
export interface DeclaredFault {
  readonly object: Declared<PrometheusRuleFact | AlertmanagerConfigFact>;
  /** Name of a source that should have loaded it. */
  readonly source: string;
  /** "PrometheusRule flux-system/alerts" */
  readonly title: string;
  /** The sentence behind "On eu-west-3 it". */
  readonly text: string;
  readonly mend: string;
  readonly rule: string | null;
}

/** So long after an object was written its loading is waited for (ms): operator, kubelet and reloader each take their time. */
const settles = 10 * minute;

/**
 * Sources that may load what is declared on a cluster, by a program of theirs: those that speak for it, and those that speak for whatever their
 * label names. Null where one of them is not read whole, where there is none, or where the object was written just now: then nothing is missing.
 */
export function mayLoad(
  books: readonly SourceBook[],
  program: AlarmProgram,
  { cluster, fact: { writtenAt } }: Declared<PrometheusRuleFact | AlertmanagerConfigFact>,
  now: number,
): readonly SourceBook[] | null {
  if (writtenAt !== null && now - writtenAt < settles) return null;
  const of = books.filter((book) => {
    const { programs, attribution } = book.source();
    const has = programs.some((one) => one.program === program);
    return has && (attribution.clusters.length === 0 || book.covers(cluster));
  });
  const isWhole = of.every(
    (book) => book.source().cut.length === 0 && book.source().programs.every((one) => isBelieved(one, now)),
  );
  return of.length === 0 || !isWhole ? null : of;
}

/** Names in a sentence: the first three, and how many more. */
export function someOf(names: readonly string[]): string {
  const more = names.length - 3;
  const first = names.slice(0, more > 0 ? 3 : undefined);
  const [last = ''] = first.slice(-1);
  if (more > 0) return `${first.join(', ')} and ${more} more`;
  return first.length < 2 ? last : `${first.slice(0, -1).join(', ')} and ${last}`;
}

/** The sentence on the labels by which an object is selected. */
export function labelsText(labels: Labels): string {
  const all = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
  return all.length === 0 ? 'It has no labels.' : `Its labels are ${someOf(all)}.`;
}

/**
 * Said where a source that does not speak for the cluster says that it has loaded what none has that does: so it may be, and its owner may lie. It is not
 * named: who may see the cluster may not see it.
 */
export function beyondText(has: string, it: string): string {
  return `${has} loaded nothing of it. A source that does not speak for the cluster says that it has loaded ${it}: whether that is so is not known.`;
}

/** Where to look then. */
export const beyondMend =
  'Where that source reads what is declared here, add the cluster to its clusters in plumbline.yaml. Otherwise compare the labels of the object with what the Prometheus or Alertmanager of the cluster selects.';
