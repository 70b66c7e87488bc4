import type { Matcher, RuleFact, RuleSelector } from '../fact.ts';
import { matches } from './route-check.ts';

/** Labels of a state metric that tell whether an object is as it should be: the value that is good, and those that are not ('' for no label at all). */
export const conditionLabels = {
  ready: { good: 'True', faults: ['False', 'Unknown', ''] },
  synced: { good: 'True', faults: ['False', 'Unknown', ''] },
  healthy: { good: 'True', faults: ['False', 'Unknown', ''] },
  installed: { good: 'True', faults: ['False', 'Unknown', ''] },
  established: { good: 'True', faults: ['False', 'Unknown', ''] },
  sync_status: { good: 'Synced', faults: ['OutOfSync', 'Unknown', ''] },
  health_status: { good: 'Healthy', faults: ['Degraded', 'Missing', 'Unknown', ''] },
} as const;

/** Label of a condition. */
export type ConditionLabel = keyof typeof conditionLabels;

/** Labels that change while an object stays away: a series, and with it the `for` of a rule, begins anew with each. */
const unstable: ReadonlySet<string> = new Set([
  ...Object.keys(conditionLabels),
  ...['status', 'reason', 'synced_reason', 'revision', 'message', 'chart_version', 'operation_phase'],
  // A restart of kube-state-metrics changes these.
  ...['pod', 'instance', 'container', 'endpoint', 'uid'],
]);

/** True if the clock of a rule starts anew while its condition goes on being true. */
export function clockResets({ holds, keeps }: Pick<RuleFact, 'holds' | 'keeps'>): boolean {
  return holds > 0 && (keeps === null || keeps.some((name) => unstable.has(name)));
}

/** True if a rule watches that series are there, and not what they say. */
export function watchesAbsence({ query }: Pick<RuleFact, 'query'>): boolean {
  return /\babsent(?:_over_time)?\s*\(/.test(query);
}

const pauses: ReadonlySet<string> = new Set(['suspended', 'paused', 'skip_reconcile']);

/** True if a rule asks for nothing but what is suspended or paused: it says nothing of an object that is away. */
export function watchesPause({ selectors }: Pick<RuleFact, 'selectors'>): boolean {
  return selectors !== null && selectors.length > 0 && selectors.every(({ states }) => states.some(asksForPause));
}

function asksForPause({ name, operator, value }: Matcher): boolean {
  if (operator === '!=' || operator === '!~') return false;
  return pauses.has(name) ? /true|disabled/i.test(value) : name.endsWith('reason') && value === 'ReconcilePaused';
}

/**
 * Values of a condition for which a selector finds an object, of those that are faults; null where it does not ask for that condition, or finds what is
 * good as well. Unclear where one of its patterns is not looked at.
 */
export function faultsFound(selector: RuleSelector, condition: ConditionLabel): ReadonlySet<string> | 'unclear' | null {
  const asked = askedOf(selector.states, condition);
  if (asked.length === 0) return null;
  const others = selector.states.filter((matcher) => !asked.includes(matcher) && !isTypeOf(matcher, condition));
  // What asks for one reason, or for another condition beside this, is not true of every fault.
  if (others.some(({ operator, value }) => (operator === '=' || operator === '=~') && value !== '')) return new Set();
  if (others.some(({ name, value }) => name.endsWith('reason') && value !== 'ReconcilePaused')) return 'unclear';
  const { good, faults } = conditionLabels[condition];
  const isGoodFound = found(asked, good);
  if (isGoodFound === null) return 'unclear';
  if (isGoodFound) return null;
  const values = new Set<string>();
  for (const value of faults) {
    const isFound = found(asked, value);
    if (isFound === null) return 'unclear';
    if (isFound) values.add(value);
  }
  return values;
}

function found(matchers: readonly Matcher[], value: string): boolean | null {
  let unknown = false;
  for (const matcher of matchers) {
    const matched = matches(matcher, value);
    if (matched === false) return false;
    if (matched === null) unknown = true;
  }
  return unknown ? null : true;
}

/** True if a matcher says which condition `status` is of. */
function isTypeOf({ name, operator, value }: Matcher, condition: string): boolean {
  return (name === 'type' || name === 'condition') && operator === '=' && value.toLowerCase() === condition;
}

/** True if matchers on states ask for a condition. */
export function isAskedFor(states: readonly Matcher[], condition: string): boolean {
  return askedOf(states, condition).length > 0;
}

/** Matchers on a condition: by a label of its name, or by `status` beside `type`, as metrics with a series for each condition have it. */
function askedOf(states: readonly Matcher[], condition: string): readonly Matcher[] {
  const own = states.filter(({ name }) => name === condition);
  if (own.length > 0) return own;
  const isOfIt = states.some((matcher) => isTypeOf(matcher, condition));
  return isOfIt ? states.filter(({ name }) => name === 'status') : [];
}
