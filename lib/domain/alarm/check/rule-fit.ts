import type { Verdict } from '../../verdict/verdict.ts';
import type { Matcher, RuleFact } from '../fact.ts';
import { isAskedFor, type ConditionLabel, conditionLabels, watchesAbsence } from './rule-condition.ts';

/** Labels that say that somebody paused an object. */
const pauses: ReadonlySet<string> = new Set(['suspended', 'paused', 'skip_reconcile', 'break_the_glass']);

function asksForPause({ name, operator, value }: Matcher): boolean {
  const isPositive = (operator === '=' || operator === '=~') && value !== '';
  return isPositive && (pauses.has(name) || (name === 'synced_reason' && value === 'ReconcilePaused'));
}

/** Conditions that tell of what is not as in git, and of what does not work. */
const ofApplying: readonly ConditionLabel[] = ['synced', 'sync_status', 'installed', 'established', 'ready'];
const ofHealth: readonly ConditionLabel[] = ['ready', 'healthy', 'health_status'];

function wantedBy(verdict: Verdict): readonly ConditionLabel[] {
  switch (verdict) {
    case 'diverged':
    case 'drifted':
    case 'behind':
      return ofApplying;
    case 'unhealthy':
    case 'progressing':
    case 'waiting':
      return ofHealth;
    case 'suspended':
    case 'stale':
    case 'unobserved':
    case 'unconfirmed':
    case 'converged':
      return [];
  }
}

/** Ranks of rules that were looked at, by verdict: one is asked for with each of its scopes. */
const known = new WeakMap<RuleFact, Map<Verdict, number>>();

/** Rank of a rule by how well what it asks for fits the verdict of an object: the higher, the better. */
export function fitOf(rule: RuleFact, verdict: Verdict): number {
  const fits = known.get(rule) ?? new Map<Verdict, number>();
  const fit = fits.get(verdict) ?? rankOf(rule, verdict);
  known.set(rule, fits.set(verdict, fit));
  return fit;
}

function rankOf(rule: RuleFact, verdict: Verdict): number {
  if (watchesAbsence(rule)) return 0;
  const states = (rule.selectors ?? []).flatMap((selector) => selector.states);
  const isOnPause = states.some(asksForPause);
  if (isOnPause || verdict === 'suspended') return isOnPause === (verdict === 'suspended') ? 100 : 1;
  const asked = Object.keys(conditionLabels).filter((name) => isAskedFor(states, name));
  if (asked.length === 0) return 2;
  const place = wantedBy(verdict).findIndex((name) => asked.includes(name));
  return place === -1 ? 3 : 100 - place;
}

/** The rule of which what it asks for fits best, of equals the first; null for none. */
export function bestFitting(rules: readonly RuleFact[], verdict: Verdict): RuleFact | null {
  let best: { readonly rule: RuleFact; readonly fit: number } | null = null;
  for (const rule of rules) {
    const fit = fitOf(rule, verdict);
    if (best === null || fit > best.fit) best = { rule, fit };
  }
  return best?.rule ?? null;
}
