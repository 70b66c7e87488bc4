import type { GroupKind } from '../observation/ref.ts';
import type { CheckedKind, CheckedSource, CheckTerms, GapType } from './check/checked.ts';
import type { RuleFact } from './fact.ts';
import { byCluster } from './check/by-cluster.ts';
import { type CountGap, countGaps } from './check/count-check.ts';
import { bestOutcome, checkedBy, type KindOutcome } from './check/kind-check.ts';
import { watchesAbsence } from './check/rule-condition.ts';

/** Part of the fleet for which no alarm would sound. */
export interface RulesGap extends GroupKind {
  readonly cluster: string;
  readonly gap: GapType;
  /** Number of objects, of `of`. */
  readonly objects: number;
  readonly of: number;
  /** A sentence. */
  readonly text: string;
  /** Its mend, a sentence. */
  readonly mend: string;
}

/** A rule on series that nobody has. */
export interface DeadRule {
  readonly source: string;
  readonly rule: string;
  readonly text: string;
  readonly mend: string;
}

/** A kind on a cluster of which it cannot be said whether alarms would sound. */
export interface UnclearKind extends GroupKind {
  readonly cluster: string;
  readonly why: string;
}

/** Comparison of a fleet with the alarms that are loaded. */
export interface RulesCheck {
  readonly gaps: readonly RulesGap[];
  readonly dead: readonly DeadRule[];
  readonly counts: readonly CountGap[];
  readonly unclear: readonly UnclearKind[];
  /** Kinds on clusters of which every object and condition is alarmed on. */
  readonly sound: number;
}

/** Metrics that Flux has removed. An alert on one looks like an alert that has nothing to say. */
const removed: ReadonlySet<string> = new Set(['gotk_reconcile_condition', 'gotk_suspend_status']);

/** Compares the kinds of a fleet with the alarms that its sources have loaded: would somebody be called for each object, whatever its fault? */
export function checkRules(
  sources: readonly CheckedSource[],
  kinds: readonly CheckedKind[],
  terms: CheckTerms,
): RulesCheck {
  const gaps: RulesGap[] = [];
  const unclear: UnclearKind[] = [];
  const narrow = sources.map(byCluster);
  let sound = 0;
  for (const kind of kinds) {
    const told = narrow.map((of) => of(kind.cluster));
    const outcome = outcomeOf(told, kind, terms);
    const { cluster, group, kind: name } = kind;
    switch (outcome.type) {
      case 'sound':
        sound += 1;
        break;
      case 'unclear':
        unclear.push({ cluster, group, kind: name, why: outcome.why });
        break;
      case 'gap':
        gaps.push({
          cluster,
          group,
          kind: name,
          gap: outcome.gap,
          objects: outcome.objects,
          of: kind.objects.length,
          text: outcome.text,
          mend: outcome.mend,
        });
        break;
    }
  }
  return { gaps, dead: sources.flatMap(deadRules), counts: countGaps(sources, kinds), unclear, sound };
}

function outcomeOf(sources: readonly CheckedSource[], kind: CheckedKind, terms: CheckTerms): KindOutcome {
  const speaking = sources.filter(
    ({ attribution: { clusters } }) => clusters.length === 0 || clusters.includes(kind.cluster),
  );
  if (speaking.length === 0)
    return {
      type: 'gap',
      gap: 'no-source',
      objects: kind.objects.length,
      text: `No alarm source speaks for ${kind.cluster}.`,
      mend: `Name its Prometheus under alarms in plumbline.yaml, with ${kind.cluster} among its clusters.`,
    };
  return bestOutcome(
    speaking.map((source) =>
      source.believed
        ? checkedBy(source, kind, terms)
        : { type: 'unclear', why: `The alarm source ${source.name} cannot be read.` },
    ),
  );
}

/** Rules none of whose metrics has any series. Where a bound cut the reading short none is called dead. */
export function deadRules({
  name: source,
  facts,
  believed,
  cut,
}: Pick<CheckedSource, 'name' | 'facts' | 'believed' | 'cut'>): readonly DeadRule[] {
  if (!believed || cut) return [];
  const empty = new Set(
    facts.flatMap((fact) => (fact.type === 'scope-standing' && fact.series === 0 ? [fact.key] : [])),
  );
  // A rule with an alert had series at its last evaluation, which may be later than the question for them.
  const alive = new Set(facts.flatMap((fact) => (fact.type === 'alert' ? [fact.rule] : [])));
  const isDead = (rule: RuleFact): boolean => !alive.has(rule.key) && readsNothing(rule, empty);
  return facts.flatMap((fact) => (fact.type === 'rule' && isDead(fact) ? [deadRule(source, fact)] : []));
}

function readsNothing(rule: RuleFact, empty: ReadonlySet<string>): boolean {
  const { selectors } = rule;
  if (selectors === null || selectors.length === 0 || watchesAbsence(rule)) return false;
  return selectors.every(({ scope }) => empty.has(scope));
}

function deadRule(source: string, { name, selectors }: RuleFact): DeadRule {
  const metrics = [...new Set((selectors ?? []).map(({ metric, scope }) => metric ?? scope))];
  const gone = metrics.find((metric) => removed.has(metric));
  return {
    source,
    rule: name,
    text: `Rule ${name} reads ${metrics.join(', ')}, of which there is no series: it can never fire.`,
    mend:
      gone === undefined
        ? 'Have kube-state-metrics export it, or remove the rule: plumbline rules writes both anew.'
        : `Flux has removed ${gone}: plumbline rules writes rules on gotk_resource_info, and what exports it.`,
  };
}
