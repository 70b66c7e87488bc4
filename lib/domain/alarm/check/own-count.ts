import type { CurrentObject } from '../../record/current.ts';
import { earlier, stepOf, stepText } from './since-step.ts';
import type { NamedAlert } from '../book/alert-book.ts';
import type { RuleFact } from '../fact.ts';

/** A selector of a metric by which Plumbline counts objects, and the verdicts that it asks for. */
const counting = /\bplumbline_objects(?:_since)?\{[^{}]{0,500}?\bverdict=~?"([^"]{1,300})"/;

/** Labels that an aggregation keeps. */
const keepsSince = /\bby\s*\([^()]{0,300}\bsince\b[^()]{0,300}\)/;

/** Looked at once a rule: it is asked of every alert that may mean an object. */
const looked = new WeakMap<RuleFact, readonly string[]>();

/**
 * Verdicts of objects that a rule counts by Plumbline's own metrics, as `NotAsInGit` of deploy/prometheus/rules.yaml does; [] where it counts none.
 * No series of them names an object, so such a rule reads none by its scopes.
 */
export function countedVerdicts(rule: RuleFact): readonly string[] {
  const found = looked.get(rule) ?? counting.exec(rule.query)?.[1]?.split('|') ?? [];
  looked.set(rule, found);
  return found;
}

/**
 * True of a rule that counts objects and has one alert for all of a kind on a cluster, however long: it calls once, and nobody is called anew for what
 * leaves git later. With `since` of `plumbline_objects_since` each five minutes have an alert of their own.
 */
export function callsOnce(rule: RuleFact): boolean {
  return (
    countedVerdicts(rule).length > 0 &&
    !(rule.query.includes('plumbline_objects_since{') && keepsSince.test(rule.query))
  );
}

/** Tests if an alert of a rule that counts objects is on the kind of an object, on its cluster, on what it is, and on when it left git. */
export function countsObject(
  { named, fact: { labels } }: NamedAlert,
  rule: RuleFact,
  object: Pick<CurrentObject, 'ref' | 'verdict' | 'awaySince' | 'onset'>,
): boolean {
  if (named.kind === null || !countedVerdicts(rule).includes(object.verdict)) return false;
  if (Object.hasOwn(labels, 'group') && labels['group'] !== object.ref.group) return false;
  const since = callsOnce(rule) || !Object.hasOwn(labels, 'since') ? earlier : labels['since'];
  return since === earlier || since === stepText(stepOf(object));
}
