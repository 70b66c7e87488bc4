import type { GroupKind, ObjectRef } from '../../observation/ref.ts';
import type { SourceBook } from '../book/source-book.ts';
import { isWell } from '../book/well-rule.ts';
import { callsOf } from '../check/rule-calls.ts';
import { watchesAbsence, watchesPause } from '../check/rule-condition.ts';
import type { RuleFact } from '../fact.ts';
import type { AlarmReach } from '../finding.ts';
import { isBelieved } from '../source.ts';

/** Rules that read the same scopes: an object that one of them reads all of them read. */
interface RulesOfScopes {
  readonly scopes: readonly string[];
  readonly rules: readonly RuleFact[];
  /** True if any of them calls somebody; null where that cannot be told. */
  readonly routed: boolean | null;
  /** Who is called by them: "oncall (pagerduty)". */
  readonly receivers: readonly string[];
}

/** Everything that one source says of the objects of one kind on one cluster. */
export interface KindReach {
  readonly rules: readonly RulesOfScopes[];
  /** The farthest step of the chain of an object, before anything happens, and the rules that read it. */
  of(ref: ObjectRef): AlarmReach & { readonly by: readonly RulesOfScopes[] };
}

/** Rules of a source that are well at a moment, by their scopes: the same for all kinds and clusters. */
export interface WellRules {
  readonly book: SourceBook;
  /** False where what it told may not be believed now. */
  readonly isRead: boolean;
  readonly byScopes: readonly (readonly RuleFact[])[];
}

/** The rules of a source that are well at `now` (ms), and watch more than that series are there, or that an object is paused. */
export function wellRules(book: SourceBook, now: number): WellRules {
  const { programs } = book.source();
  const isRead = programs.every((program) => program.program !== 'prometheus' || isBelieved(program, now));
  const well = [...book.rules.reading()].filter(
    (rule) => isWell(rule, book) && !watchesAbsence(rule) && !watchesPause(rule),
  );
  const byScopes = Map.groupBy(well, (rule) => scopesOf(rule).join('\n'));
  return { book, isRead, byScopes: [...byScopes.values()] };
}

function scopesOf({ selectors }: RuleFact): readonly string[] {
  return [...new Set((selectors ?? []).map(({ scope }) => scope))].toSorted((a, b) => (a < b ? -1 : 1));
}

/** Prepares the answers about the objects of a kind on a cluster by one source that covers it. */
export function kindReach(
  { book, isRead, byScopes }: WellRules,
  place: GroupKind & { readonly cluster: string },
): KindReach {
  const { name, attribution, cut } = book.source();
  const facts = [...book.routings.values(), ...book.receivers.values()];
  const calls = callsOf({ name, attribution, facts }, place);
  const rules = byScopes.map((of): RulesOfScopes => {
    const [first] = of;
    const ends = of.map((rule) => calls.ofRule(rule));
    return {
      scopes: first === undefined ? [] : scopesOf(first),
      rules: of,
      routed: ends.includes('calls') ? true : ends.includes('unclear') ? null : false,
      receivers: of.flatMap((rule) => calls.callsFor(rule)),
    };
  });
  const sure = cut.length === 0;
  const mayRead = !sure || book.rules.hasUnread();
  const standings = Array.from(book.scopes.standings(), ({ key }) => key);

  function of(ref: ObjectRef): ReturnType<KindReach['of']> {
    if (!isRead) return { exported: null, ruled: null, routed: null, by: [] };
    const answers = rules.map(({ scopes }) => bestOf(scopes.map((scope) => book.scopes.holds(scope, ref))));
    const by = rules.filter((_, at) => answers[at] === true);
    if (by.length > 0) return { exported: true, ruled: true, routed: bestOf(by.map(({ routed }) => routed)), by };
    const held = standings.map((scope) => book.scopes.holds(scope, ref));
    const exported = bestOf(held);
    const known = exported === false && !sure ? null : exported;
    const ruled = known === false ? false : mayRead || answers.includes(null) ? null : false;
    return { exported: known, ruled, routed: ruled, by };
  }

  return { rules, of };
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
