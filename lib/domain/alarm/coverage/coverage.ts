import { guaranteeOf, type Policy } from '../../guarantee/guarantee.ts';
import type { SourceBook } from '../book/source-book.ts';
import type { AlarmCoveragePage, CoveredCluster, KindCoverage } from '../finding.ts';
import { findingsOf } from './findings.ts';
import { kindsOn } from './kinds.ts';
import { keptRoutes } from './object-reach.ts';

/** Most silent objects that are told. */
const mostSilent = 1_000;

/** Makes the coverage of clusters; of one of which nothing changed, neither objects nor alarms, it is made once. */
export function coverageMaker(sources: () => readonly SourceBook[], stamp: (cluster: string, now: number) => number) {
  const kept = new WeakMap<
    CoveredCluster['objects'],
    { readonly stamp: number; readonly kinds: readonly KindCoverage[] }
  >();

  return (clusters: readonly CoveredCluster[], now: number, policy: Policy): AlarmCoveragePage => {
    const books = sources();
    if (books.length === 0) return { unknown: 'none', sources: [], kinds: [], findings: [], silent: [] };
    const covering = (cluster: string): readonly SourceBook[] => books.filter((book) => book.covers(cluster));
    const question = { covering, routes: keptRoutes(), now, policy };
    const kinds = clusters.flatMap((cluster) => {
      const found = kept.get(cluster.objects);
      const present = stamp(cluster.name, now);
      if (found?.stamp === present) return found.kinds;
      const made = kindsOn(cluster, question);
      kept.set(cluster.objects, { stamp: present, kinds: made });
      return made;
    });
    const silent = clusters.flatMap(({ objects }) =>
      objects.filter((object) => object.alarm.state === 'silent' && guaranteeOf(object, policy, now) === 'broken'),
    );
    return {
      unknown: null,
      sources: books.map((book) => book.source()),
      kinds,
      findings: findingsOf(books, clusters, kinds, now),
      silent: silent.slice(0, mostSilent),
    };
  };
}
