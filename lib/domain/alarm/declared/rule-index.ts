import type { SourceBook } from '../book/source-book.ts';
import type { RuleFact } from '../fact.ts';
import { expressionHash } from '../selector/expression-hash.ts';
import type { DeclaredRule, PrometheusRuleFact } from './declared.ts';

/**
 * Standing of a declared rule with one program. loaded: it has the rule as it is declared; uncompared: it has a rule of that name, and it is not known whether
 * that is as declared, because one of both cannot be taken apart, or is not yet; other: with another expression or another `for`; outdated: it has loaded a
 * file of the object without the rule; absent: it has nothing of the object.
 */
export type RuleStanding = 'loaded' | 'uncompared' | 'other' | 'outdated' | 'absent';

/** From the best to the worst: of what is not known the best may be so. */
const ranks: readonly RuleStanding[] = ['loaded', 'uncompared', 'other', 'outdated', 'absent'];

/** Loaded rules, found again by the object that declares them. */
export interface RuleIndex {
  standingOf(object: Pick<PrometheusRuleFact, 'uid'>, rule: DeclaredRule): RuleStanding;
}

/** So much of loaded expressions is taken apart for one index (UTF-16 units), some 50 ms; what is left is compared when the next one is made. */
const mostTakenApart = 50_000;
const hashes = new WeakMap<RuleFact, number | null>();

const uidForm = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/**
 * Lays out the rules that a source has loaded. prometheus-operator calls a file "<namespace>-<name>-<uid>.yaml", and what carries rules to Mimir puts the uid
 * into their namespace. A rule of a file without any uid may be of any object: its group and its name tell.
 */
export function ruleIndex(book: SourceBook): RuleIndex {
  const files = new Map<string, string | null>();
  const ofObject = new Map<string, Map<string, Namesakes>>();
  const ofNobody = new Map<string, Namesakes>();
  const room = { text: mostTakenApart };
  for (const rule of book.rules.all()) {
    const known = files.get(rule.file);
    const uid = known === undefined ? uidIn(rule.file) : known;
    files.set(rule.file, uid);
    if (uid === null) {
      push(ofNobody, nameOf(rule), rule);
      continue;
    }
    const ofFile = ofObject.get(uid) ?? new Map<string, Namesakes>();
    ofObject.set(uid, ofFile);
    push(ofFile, nameOf(rule), rule);
  }
  return {
    standingOf(object, rule) {
      const file = ofObject.get(object.uid);
      const named = (file ?? ofNobody).get(nameOf(rule));
      if (named === undefined) return file === undefined ? 'absent' : 'outdated';
      named.forms ??= formsOf(named.rules, room);
      return standingAmong(named.forms, rule);
    },
  };
}

/** Loaded rules of one group and name. `forms`: what they are, once it is asked for: whoever declares may declare as many of that name. */
interface Namesakes {
  readonly rules: RuleFact[];
  forms: ReadonlySet<string> | null;
}

/** The best of several programs. */
export function bestStanding(standings: readonly RuleStanding[]): RuleStanding {
  return ranks.find((rank) => standings.includes(rank)) ?? 'absent';
}

/** The uid of the object behind a file: the last, for whoever declares an object may put that of another into its name. */
function uidIn(file: string): string | null {
  return file.match(uidForm)?.at(-1) ?? null;
}

function push(map: Map<string, Namesakes>, key: string, rule: RuleFact): void {
  const found = map.get(key);
  if (found === undefined) map.set(key, { rules: [rule], forms: null });
  else found.rules.push(rule);
}

function nameOf({ group, name }: { readonly group: string; readonly name: string }): string {
  return JSON.stringify([group, name]);
}

/** In a form: whatever it is; and of an expression that it cannot be taken apart. */
const [any, unknown] = ['any', 'unknown'];

/** Forms of some loaded rules, with which a declared one can be compared: with its `for` and its expression, and with one of them alone. */
function formsOf(rules: readonly RuleFact[], room: { text: number }): ReadonlySet<string> {
  return new Set(
    rules.flatMap((rule) => {
      const { holds } = rule;
      const hash = hashOf(rule, room) ?? unknown;
      return [form(holds, hash), form(holds, any), form(any, hash), form(any, any)];
    }),
  );
}

/** Hash of what a rule reads; null where it cannot be taken apart, or where there is no room for it any more. */
function hashOf(rule: RuleFact, room: { text: number }): number | null {
  const known = hashes.get(rule);
  if (known !== undefined) return known;
  const { query } = rule;
  if (query.length > room.text) return null;
  room.text -= query.length;
  const hash = expressionHash(query);
  hashes.set(rule, hash);
  return hash;
}

function form(holds: number | string | null, hash: number | string): string {
  return `${holds} ${hash}`;
}

function standingAmong(forms: ReadonlySet<string>, { expression, holds }: DeclaredRule): RuleStanding {
  const wanted = holds ?? any;
  if (expression === null) return forms.has(form(wanted, any)) ? 'uncompared' : 'other';
  if (forms.has(form(wanted, expression))) return holds === null ? 'uncompared' : 'loaded';
  return forms.has(form(wanted, unknown)) ? 'uncompared' : 'other';
}
