import type { Route, RuleFact } from '../fact.ts';
import type { Looking } from './plain-pattern.ts';
import { type Reached, reachedReceivers } from './route-check.ts';
import type { CheckedKind, CheckedSource } from './checked.ts';

/** Where the alerts of a rule on a kind end: with somebody who is called, with nobody, or that cannot be told. */
export type RuleCalls = 'calls' | 'nobody' | 'unclear';

/** Asks for the calls of rules. */
export interface Calls {
  ofRule(rule: RuleFact): RuleCalls;
  /** Receivers that call somebody, with what they call with: "oncall (pagerduty)"; [] where that cannot be told. */
  callsFor(rule: RuleFact): readonly string[];
  /** Why it cannot be told, where it cannot. */
  readonly why: string;
}

/** Labels of a target, which no external label is called by: gone where a rule does not keep them. */
const targetLabels = ['namespace', 'pod', 'service', 'job', 'instance', 'container', 'endpoint'];

/** Most letters that are looked at for all rules on one kind (`Looking`): some 10 ms, for each kind on each cluster. */
const mostLetters = 1_000_000;

/** Follows the alerts on a kind through the routing trees of a source's Alertmanagers. `all`: letters that may be looked at for several kinds together. */
export function callsOf(
  { name, attribution, facts }: Pick<CheckedSource, 'name' | 'attribution' | 'facts'>,
  kind: Pick<CheckedKind, 'group' | 'kind' | 'cluster'>,
  all: Looking = { left: mostLetters },
): Calls {
  const trees = facts.filter((fact) => fact.type === 'routing');
  const receivers = new Map<string, readonly string[]>();
  for (const fact of facts)
    if (fact.type === 'receiver') receivers.set(fact.name, [...(receivers.get(fact.name) ?? []), ...fact.calls]);
  const values = Object.entries(attribution.aliases).flatMap(([value, cluster]) =>
    cluster === kind.cluster ? [value] : [],
  );
  const known: Record<string, string | null> = {
    customresource_group: kind.group,
    customresource_kind: kind.kind,
    [attribution.label]: values.length > 1 ? null : (values[0] ?? kind.cluster),
  };

  const own = { left: mostLetters };

  function reached(root: Route, rule: RuleFact): Reached {
    const given = Math.max(0, Math.min(own.left, all.left));
    const looking = { left: given };
    const found = reachedReceivers(root, alertLabels(rule, known, attribution.label), looking);
    own.left -= given - looking.left;
    all.left -= given - looking.left;
    return found;
  }

  function ofRule(rule: RuleFact): RuleCalls {
    let isUnclear = trees.length === 0;
    for (const { root } of trees) {
      const found = reached(root, rule);
      if (found === null) isUnclear = true;
      for (const receiver of found ?? []) {
        const calls = receivers.get(receiver);
        if (calls === undefined) isUnclear = true;
        else if (calls.length > 0) return 'calls';
      }
    }
    return isUnclear ? 'unclear' : 'nobody';
  }

  function callsFor(rule: RuleFact): readonly string[] {
    const found = trees.flatMap(({ root }) => [...(reached(root, rule) ?? [])]);
    return [...new Set(found)].flatMap((receiver) => {
      const calls = [...new Set(receivers.get(receiver))];
      return calls.length === 0 ? [] : [`${receiver} (${calls.join(', ')})`];
    });
  }

  return { ofRule, callsFor, why: `It cannot be told from ${name} whom its alerts reach.` };
}

/** Labels of objects that a routing tree asks for: two kinds that have the same of these are routed alike. */
export function askedOfObjects(roots: readonly Route[], clusterLabel: string): ReadonlySet<string> {
  const asked = new Set<string>();
  const open = [...roots];
  for (let route = open.pop(); route !== undefined; route = open.pop()) {
    for (const { name } of route.matchers) if (ofObjects.includes(name) || name === clusterLabel) asked.add(name);
    open.push(...route.routes);
  }
  return asked;
}

const ofObjects = ['customresource_group', 'customresource_kind'];

/** Labels of the alerts of a rule as Alertmanager gets them; `known`: those of its objects. What is not known, an external label or one of the object's, is not told to be absent. */
export function alertLabels(
  rule: RuleFact,
  known: Readonly<Record<string, string | null>>,
  clusterLabel: string,
): (name: string) => string | null {
  const { keeps, labels, name: alertname } = rule;
  return (name) => {
    if (name === 'alertname') return alertname;
    if (Object.hasOwn(labels, name)) return labels[name]?.includes('{{') === true ? null : (labels[name] ?? null);
    if (keeps !== null && !keeps.includes(name) && targetLabels.includes(name)) return '';
    const isKept = keeps === null || keeps.includes(name) || name === clusterLabel;
    return isKept && Object.hasOwn(known, name) ? (known[name] ?? null) : null;
  };
}
