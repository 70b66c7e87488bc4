import { compareText } from '../../observation/compare-text.ts';
import { guaranteeOf, isAway, type Policy } from '../../guarantee/guarantee.ts';
import { kindKey } from '../../observation/ref.ts';
import type { SourceBook } from '../book/source-book.ts';
import type { AlarmReach, CoveredCluster, KindCoverage } from '../finding.ts';
import type { KnownObject } from '../with-alarm.ts';
import { bestOf, reachBy, type Routes } from './object-reach.ts';

/** A question for the coverage of kinds. */
export interface KindQuestion {
  /** Sources that speak for a cluster. */
  readonly covering: (cluster: string) => readonly SourceBook[];
  readonly routes: Routes;
  readonly now: number;
  readonly policy: Policy;
}

/** Most rules and receivers that are named of one kind. */
const mostNamed = 10;

/** A count that is not known any more once one of those counted is not known. */
interface Sum {
  count: number;
  unknown: boolean;
}

function add(sum: Sum, answer: boolean | null): void {
  if (answer === null) sum.unknown = true;
  else if (answer) sum.count += 1;
}

function known({ count, unknown }: Sum): number | null {
  return unknown ? null : count;
}

/** The kinds of a cluster, each with how many of its objects the chain reaches. */
export function kindsOn({ name: cluster, objects }: CoveredCluster, question: KindQuestion): readonly KindCoverage[] {
  const told = objects.filter(({ role }) => role !== 'declared');
  const kinds = Map.groupBy(told, ({ ref }) => kindKey(ref));
  const books = question.covering(cluster);
  return Array.from(kinds.values(), (of) => kindCoverage(of, books, question)).filter((kind) => kind !== null);
}

function kindCoverage(
  objects: readonly KnownObject[],
  books: readonly SourceBook[],
  { routes, now, policy }: KindQuestion,
): KindCoverage | null {
  const [first] = objects;
  if (first === undefined) return null;
  const sums = {
    exported: { count: 0, unknown: false },
    ruled: { count: 0, unknown: false },
    routed: { count: 0, unknown: false },
  };
  const rules = new Map<string, number | null>();
  const receivers = new Set<string>();
  for (const { ref } of objects) {
    const reached = books.map((book) => reachBy(book, ref, routes, now));
    for (const one of reached) {
      for (const rule of one.rules) rules.set(rule.name, rule.firedAt);
      for (const receiver of one.receivers) receivers.add(receiver);
    }
    const reach = bestReach(reached);
    add(sums.exported, reach.exported);
    add(sums.ruled, reach.ruled);
    add(sums.routed, reach.routed);
  }
  const fired = [...rules.values()].filter((at) => at !== null);
  const { cluster, group, kind } = first.ref;
  return {
    ...{ cluster, group, kind, objects: objects.length },
    away: objects.filter(({ verdict }) => isAway(verdict)).length,
    exported: known(sums.exported),
    ruled: known(sums.ruled),
    routed: known(sums.routed),
    rules: [...rules.keys()].toSorted(compareText).slice(0, mostNamed),
    receivers: [...receivers].toSorted(compareText).slice(0, mostNamed),
    firedAt: fired.length === 0 ? null : Math.max(...fired),
    silent: objects.filter((object) => guaranteeOf(object, policy, now) === 'broken').length,
    why: Object.values(sums).some(({ unknown }) => unknown) ? (books.length === 0 ? 'not-covered' : 'not-read') : null,
  };
}

/** The best that several sources say of an object. */
export function bestReach(reached: readonly AlarmReach[]): AlarmReach {
  return {
    exported: bestOf(reached.map(({ exported }) => exported)),
    ruled: bestOf(reached.map(({ ruled }) => ruled)),
    routed: bestOf(reached.map(({ routed }) => routed)),
  };
}
