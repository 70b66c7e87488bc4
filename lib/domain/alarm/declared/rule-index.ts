import type { SourceBook } from '../book/source-book.ts';
import type { RuleFact } from '../fact.ts';
import { expressionHash } from '../selector/expression-hash.ts';
import type { DeclaredRule, PrometheusRuleFact } from './declared.ts';

/**
 * Standing of a declared rule with one program. loaded: it has the rule as it is declared; other: with another expression or another `for`; outdated: it has
 * loaded a file of the object without the rule; absent: it has nothing of the object.
 */
export type RuleStanding = 'loaded' | 'other' | 'outdated' | 'absent';

/** From the best to the worst. */
const ranks: readonly RuleStanding[] = ['loaded', 'other', 'outdated', 'absent'];

/** Loaded rules, found again by the object that declares them. */
export interface RuleIndex {
  standingOf(object: Pick<PrometheusRuleFact, 'uid'>, rule: DeclaredRule): RuleStanding;
}

const uid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/**
 * Lays out the rules that a source has loaded. prometheus-operator calls a file "<namespace>-<name>-<uid>.yaml", and what carries rules to Mimir puts the uid
 * into their namespace. A rule of a file without any uid may be of any object: its group and its name tell.
 */
export function ruleIndex(book: SourceBook): RuleIndex {
  const files = new Map<string, readonly string[]>();
  const ofObject = new Map<string, RuleFact[]>();
  const ofNobody = new Map<string, RuleFact[]>();
  for (const rule of book.rules.all()) {
    const uids = files.get(rule.file) ?? uidsIn(rule.file);
    files.set(rule.file, uids);
    for (const each of uids) push(ofObject, each, rule);
    if (uids.length === 0) push(ofNobody, nameOf(rule), rule);
  }
  return {
    standingOf(object, rule) {
      const file = ofObject.get(object.uid);
      const named = (file ?? ofNobody.get(nameOf(rule)) ?? []).filter((loaded) => nameOf(loaded) === nameOf(rule));
      if (named.length === 0) return file === undefined ? 'absent' : 'outdated';
      return named.some((loaded) => isAsDeclared(loaded, rule)) ? 'loaded' : 'other';
    },
  };
}

/** The best of several programs. */
export function bestStanding(standings: readonly RuleStanding[]): RuleStanding {
  return ranks.find((rank) => standings.includes(rank)) ?? 'absent';
}

function uidsIn(file: string): readonly string[] {
  return [...new Set(Array.from(file.matchAll(uid), ([found]) => found))];
}

function push(map: Map<string, RuleFact[]>, key: string, rule: RuleFact): void {
  const found = map.get(key);
  if (found === undefined) map.set(key, [rule]);
  else found.push(rule);
}

function nameOf({ group, name }: { readonly group: string; readonly name: string }): string {
  return JSON.stringify([group, name]);
}

/** True of a loaded rule that is as it was declared; one that cannot be compared is not said to be another. */
function isAsDeclared(loaded: RuleFact, { expression, holds }: DeclaredRule): boolean {
  if (holds !== null && holds !== loaded.holds) return false;
  const hash = expression === null ? null : expressionHash(loaded.query);
  return hash === null || hash === expression;
}
