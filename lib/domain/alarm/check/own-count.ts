import type { ObjectRef } from '../../observation/ref.ts';
import type { Verdict } from '../../verdict/verdict.ts';
import type { NamedAlert } from '../book/alert-book.ts';
import type { RuleFact } from '../fact.ts';

/** A selector of the metric by which Plumbline counts objects, and the verdicts that it asks for. */
const counting = /\bplumbline_objects\{[^{}]{0,500}?\bverdict=~?"([^"]{1,300})"/;

/** Looked at once a rule: it is asked of every alert that may mean an object. */
const looked = new WeakMap<RuleFact, readonly string[]>();

/**
 * Verdicts of objects that a rule counts by Plumbline's own metric, as `NotAsInGit` of deploy/prometheus/rules.yaml does; [] where it counts none.
 * No series of that metric names an object, so such a rule reads none by its scopes.
 */
export function countedVerdicts(rule: RuleFact): readonly string[] {
  const found = looked.get(rule) ?? counting.exec(rule.query)?.[1]?.split('|') ?? [];
  looked.set(rule, found);
  return found;
}

/** Tests if an alert of a rule that counts objects is on the kind of an object, on its cluster, and on what it is. */
export function countsObject(
  { named, fact: { labels } }: NamedAlert,
  rule: RuleFact,
  ref: ObjectRef,
  verdict: Verdict,
): boolean {
  if (named.kind === null || !countedVerdicts(rule).includes(verdict)) return false;
  return !Object.hasOwn(labels, 'group') || labels['group'] === ref.group;
}
