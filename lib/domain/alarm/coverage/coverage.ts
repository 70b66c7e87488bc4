import { guaranteeOf, type Policy } from '../../guarantee/guarantee.ts';
import type { SourceBook } from '../book/source-book.ts';
import type { AlarmCoveragePage, CoveredCluster, KindCoverage } from '../finding.ts';
import { findingsOf } from './findings.ts';
import { kindsOn, type KindQuestion } from './kinds.ts';
import type { KnownObject } from '../with-alarm.ts';
import { wellRules } from './object-reach.ts';

/** Clusters that are counted in one turn: some milliseconds for a thousand objects each. */
const atOnce = 4;

/** Makes the coverage of clusters; of one of which nothing changed, neither objects nor alarms, it is made once. */
export function coverageMaker(sources: () => readonly SourceBook[], stamp: (cluster: string, now: number) => number) {
  const kept = new WeakMap<
    CoveredCluster['objects'],
    { readonly stamp: number; readonly kinds: readonly KindCoverage[] }
  >();

  function questionAt(now: number, policy: Policy): KindQuestion {
    const rules = sources().map((book) => wellRules(book, now));
    return { covering: (cluster) => rules.filter(({ book }) => book.covers(cluster)), now, policy };
  }

  function kindsKept(cluster: CoveredCluster, question: KindQuestion): readonly KindCoverage[] {
    const found = kept.get(cluster.objects);
    const present = stamp(cluster.name, question.now);
    if (found?.stamp === present) return found.kinds;
    const made = kindsOn(cluster, question);
    kept.set(cluster.objects, { stamp: present, kinds: made });
    return made;
  }

  function* coverage(
    clusters: readonly CoveredCluster[],
    now: number,
    policy: Policy,
  ): Generator<undefined, AlarmCoveragePage> {
    const books = sources();
    if (books.length === 0) return { unknown: 'none', sources: [], kinds: [], findings: [], silent: [] };
    const question = questionAt(now, policy);
    const kinds: KindCoverage[] = [];
    const silent: KnownObject[] = [];
    for (const [at, cluster] of clusters.entries()) {
      if (at % atOnce === atOnce - 1) yield;
      kinds.push(...kindsKept(cluster, question));
      for (const object of cluster.objects)
        if (object.alarm.state === 'silent' && guaranteeOf(object, policy, now) === 'broken') silent.push(object);
    }
    const findings = yield* findingsOf(books, clusters, kinds, now);
    return { unknown: null, sources: books.map((book) => book.source()), kinds, findings, silent };
  }

  return { coverage };
}
