import { compareText } from '../../observation/compare-text.ts';
import { guaranteeOf, isAway, type Policy } from '../../guarantee/guarantee.ts';
import { kindKey } from '../../observation/ref.ts';
import type { CoveredCluster, KindCoverage } from '../finding.ts';
import type { KnownObject } from '../with-alarm.ts';
import { bestReach, kindReach, type KindReach, type WellRules } from './object-reach.ts';

/** A question for the coverage of kinds. */
export interface KindQuestion {
  /** Sources that speak for a cluster, with their rules that are well. */
  readonly covering: (cluster: string) => readonly WellRules[];
  readonly now: number;
  readonly policy: Policy;
}

/** Most rules and receivers that are named of one kind. */
const mostNamed = 10;

/** Objects by the answer to one step of the chain. */
interface Sum {
  yes: number;
  no: number;
  unknown: number;
}

function add(sum: Sum, answer: boolean | null): void {
  if (answer === null) sum.unknown += 1;
  else if (answer) sum.yes += 1;
  else sum.no += 1;
}

/** The kinds of a cluster, each with how many of its objects the chain reaches. */
export function kindsOn({ name: cluster, objects }: CoveredCluster, question: KindQuestion): readonly KindCoverage[] {
  const told = objects.filter(({ role }) => role !== 'declared');
  const kinds = Map.groupBy(told, ({ ref }) => kindKey(ref));
  const sources = question.covering(cluster);
  return Array.from(kinds.values(), (of) => kindCoverage(of, sources, question)).filter((kind) => kind !== null);
}

function kindCoverage(
  objects: readonly KnownObject[],
  sources: readonly WellRules[],
  { now, policy }: KindQuestion,
): KindCoverage | null {
  const [first] = objects;
  if (first === undefined) return null;
  const reaches = sources.map((source) => kindReach(source, first.ref));
  const sums = { exported: noSum(), ruled: noSum(), routed: noSum() };
  const reading = new Set<KindReach['rules'][number]>();
  for (const { ref } of objects) {
    const reached = reaches.map((source) => source.of(ref));
    for (const { by } of reached) for (const rules of by) reading.add(rules);
    const reach = bestReach(reached);
    add(sums.exported, reach.exported);
    add(sums.ruled, reach.ruled);
    add(sums.routed, reach.routed);
  }
  const rules = [...reading].flatMap((of) => of.rules);
  const fired = rules.flatMap(({ firedAt }) => firedAt ?? []);
  const { cluster, group, kind } = first.ref;
  return {
    ...{ cluster, group, kind, objects: objects.length },
    away: objects.filter(({ verdict }) => isAway(verdict)).length,
    ...sums,
    rules: named(rules.map(({ name }) => name)),
    receivers: named([...reading].flatMap((of) => of.receivers())),
    firedAt: fired.length === 0 ? null : fired.reduce((last, at) => Math.max(last, at)),
    silent: objects.filter((object) => guaranteeOf(object, policy, now) === 'broken').length,
    why: Object.values(sums).some(({ unknown }) => unknown > 0)
      ? sources.length === 0
        ? 'not-covered'
        : 'not-read'
      : null,
  };
}

function noSum(): Sum {
  return { yes: 0, no: 0, unknown: 0 };
}

function named(names: readonly string[]): readonly string[] {
  return [...new Set(names)].toSorted(compareText).slice(0, mostNamed);
}
