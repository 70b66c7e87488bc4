import type { GroupKind, ObjectRef } from '../../observation/ref.ts';
import type { SourceBook } from '../book/source-book.ts';
import { scopesOfRule } from '../book/rule-book.ts';
import { isWell } from '../book/well-rule.ts';
import { askedOfObjects, callsOf, type Calls } from '../check/rule-calls.ts';
import { watchesAbsence, watchesPause } from '../check/rule-condition.ts';
import type { RuleFact } from '../fact.ts';
import type { AlarmReach } from '../finding.ts';
import { isBelieved } from '../source.ts';

/** Rules that read the same of the scopes that are asked for: an object that one of them is known to read all of them read. */
interface RulesOfScopes {
  readonly rules: readonly RuleFact[];
  /** True if any of them calls somebody; null where that cannot be told. */
  readonly routed: boolean | null;
  /** Who is called by them: "oncall (pagerduty)". */
  receivers(): readonly string[];
}

/** Everything that one source says of the objects of one kind on one cluster. */
export interface KindReach {
  readonly rules: readonly RulesOfScopes[];
  /** The farthest step of the chain of an object, before anything happens, and the rules that read it. */
  of(ref: ObjectRef): AlarmReach & { readonly by: readonly RulesOfScopes[] };
}

/** Rules that read the same of what is asked for. */
interface Group {
  readonly rules: RuleFact[];
  /** Places of the scopes among those that are asked for; `hasOthers`: there are more, of which nothing is known. */
  readonly scopes: readonly number[];
  readonly hasOthers: boolean;
}

/** Rules of a source that are well at a moment, by their scopes: the same for all kinds and clusters. */
export interface WellRules {
  readonly book: SourceBook;
  /** False where what it told may not be believed now. */
  readonly isRead: boolean;
  /** Scopes that are asked for. */
  readonly asked: readonly string[];
  readonly groups: readonly Group[];
  /** There are more groups than are looked at: a rule that is not may read anything. */
  readonly isCut: boolean;
  /** The groups with whom they call on a kind of a cluster. */
  readonly routedOn: (place: Place) => readonly RulesOfScopes[];
}

type Place = GroupKind & { readonly cluster: string };

/** Most groups that each object is held against: a hostile source makes one of each rule. */
const mostGroups = 200;

/** The rules of a source that are well at `now` (ms), and watch more than that series are there, or that an object is paused. */
export function wellRules(book: SourceBook, now: number): WellRules {
  const { programs } = book.source();
  const isRead = programs.every((program) => program.program !== 'prometheus' || isBelieved(program, now));
  const asked = Array.from(book.scopes.standings(), ({ key }) => key);
  const places = new Map(asked.map((scope, place) => [scope, place]));
  const groups = new Map<string, Group>();
  let isCut = false;
  for (const rule of book.rules.reading()) {
    if (!isWell(rule, book) || watchesAbsence(rule) || watchesPause(rule)) continue;
    const read = scopesOfRule(rule);
    const scopes = read.flatMap((scope) => places.get(scope) ?? []).toSorted((a, b) => a - b);
    const hasOthers = scopes.length < read.length;
    const key = `${scopes.join(' ')} ${hasOthers ? '+' : ''}`;
    const group = groups.get(key);
    if (group !== undefined) group.rules.push(rule);
    else if (groups.size < mostGroups) groups.set(key, { rules: [rule], scopes, hasOthers });
    else isCut = true;
  }
  const all = [...groups.values()];
  return { book, isRead, asked, groups: all, isCut, routedOn: routing(book, all) };
}

/** Most letters that are looked at for all kinds on all clusters (`Looking`): some 0.5 s. */
const mostLetters = 100_000_000;

/** Routes are followed once for all kinds that are routed alike: a fleet has tens of thousands of kinds on clusters. */
function routing(book: SourceBook, groups: readonly Group[]): WellRules['routedOn'] {
  const { name, attribution } = book.source();
  const routings = [...book.routings.values()];
  const facts = [...routings, ...book.receivers.values()];
  const asked = askedOfObjects(
    routings.map(({ root }) => root),
    attribution.label,
  );
  const left = { left: mostLetters };
  const known = new Map<string, readonly RulesOfScopes[]>();
  return (place) => {
    const named = {
      customresource_group: place.group,
      customresource_kind: place.kind,
      [attribution.label]: place.cluster,
    };
    const key = JSON.stringify(Object.entries(named).filter(([label]) => asked.has(label)));
    const found = known.get(key);
    if (found !== undefined) return found;
    const calls = callsOf({ name, attribution, facts }, place, left);
    const made = groups.map(({ rules: of }): RulesOfScopes => {
      let named: readonly string[] | null = null;
      const receivers = (): readonly string[] => (named ??= of.flatMap((rule) => calls.callsFor(rule)));
      return { rules: of, routed: routedBy(of, calls), receivers };
    });
    known.set(key, made);
    return made;
  };
}

/** Prepares the answers about the objects of a kind on a cluster by one source that covers it. */
export function kindReach({ book, isRead, asked, groups, isCut, routedOn }: WellRules, place: Place): KindReach {
  const { cut } = book.source();
  const rules = routedOn(place);
  const sure = cut.length === 0;
  const mayRead = !sure || isCut || book.rules.hasUnread();

  function of(ref: ObjectRef): ReturnType<KindReach['of']> {
    if (!isRead) return { exported: null, ruled: null, routed: null, by: [] };
    const held = asked.map((scope) => book.scopes.holds(scope, ref));
    const answers = groups.map((group) => readBy(group, held));
    const by = rules.filter((_, at) => answers[at] === true);
    if (by.length > 0) return { exported: true, ruled: true, routed: bestOf(by.map(({ routed }) => routed)), by };
    const exported = bestOf(held);
    const known = exported === false && !sure ? null : exported;
    const ruled = known === false ? false : mayRead || answers.includes(null) ? null : false;
    return { exported: known, ruled, routed: ruled, by };
  }

  return { rules, of };
}

/** True if the rules of a group read an object; null where that is not known. `held`: whether each scope that is asked for has it. */
function readBy({ scopes, hasOthers }: Group, held: readonly (boolean | null)[]): boolean | null {
  let isKnown = scopes.length > 0 && !hasOthers;
  for (const place of scopes) {
    const has = held[place] ?? null;
    if (has === true) return true;
    isKnown &&= has !== null;
  }
  return isKnown ? false : null;
}

/** True if any rule calls somebody: of thousands the rest is not asked for then. */
function routedBy(rules: readonly RuleFact[], { ofRule }: Calls): boolean | null {
  let isUnclear = false;
  for (const rule of rules) {
    const end = ofRule(rule);
    if (end === 'calls') return true;
    isUnclear ||= end === 'unclear';
  }
  return isUnclear ? null : false;
}

/** The best of several answers: true if one is; false if all are; null while one is not known, or there is none. */
export function bestOf(answers: readonly (boolean | null)[]): boolean | null {
  if (answers.includes(true)) return true;
  return answers.length === 0 || answers.includes(null) ? null : false;
}

/** The best that several sources say of an object. */
export function bestReach(reached: readonly AlarmReach[]): AlarmReach {
  return {
    exported: bestOf(reached.map(({ exported }) => exported)),
    ruled: bestOf(reached.map(({ ruled }) => ruled)),
    routed: bestOf(reached.map(({ routed }) => routed)),
  };
}
