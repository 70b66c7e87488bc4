import type { ObjectRef } from '../../observation/ref.ts';
import type { SourceBook } from '../book/source-book.ts';
import type { RuleFact } from '../fact.ts';
import { reachUnknown, type AlarmReach } from '../finding.ts';
import { isWell, reads } from '../object-chain.ts';
import { callsOf, type Calls, type RuleCalls } from '../check/rule-calls.ts';
import { watchesAbsence } from '../check/rule-condition.ts';
import { isBelieved } from '../source.ts';

/** Where the alerts of a rule end, and who is called there: "oncall (pagerduty)". */
export interface RouteAnswer {
  readonly end: RuleCalls;
  readonly receivers: readonly string[];
}

/** Answers about where alerts would go, kept for as long as one look at the coverage takes: a fleet has few kinds and rules. */
export interface Routes {
  of(book: SourceBook, rule: RuleFact, ref: ObjectRef): RouteAnswer;
}

/** Makes them. */
export function keptRoutes(): Routes {
  const calls = new Map<SourceBook, Map<string, Calls>>();
  const answers = new Map<string, RouteAnswer>();
  return {
    of(book, rule, { cluster, group, kind }) {
      const key = JSON.stringify([book.source().name, rule.key, cluster, group, kind]);
      const known = answers.get(key);
      if (known !== undefined) return known;
      const ofBook = calls.get(book) ?? new Map<string, Calls>();
      calls.set(book, ofBook);
      const place = JSON.stringify([cluster, group, kind]);
      const found = ofBook.get(place) ?? callsOf(routesOf(book), { cluster, group, kind, objects: [], conditions: [] });
      ofBook.set(place, found);
      const answer = { end: found.ofRule(rule), receivers: found.callsFor(rule) };
      answers.set(key, answer);
      return answer;
    },
  };
}

function routesOf(book: SourceBook) {
  const { name, attribution } = book.source();
  const facts = [...book.routings.values(), ...book.receivers.values()];
  return { name, attribution, facts, believed: true, cut: false };
}

/** Reach of an object's chain by one source, with the rules that read it. */
interface ReachBySource extends AlarmReach {
  readonly rules: readonly RuleFact[];
  /** Who is called by them. */
  readonly receivers: readonly string[];
}

/** The farthest step of the chain of an object by one source that covers its cluster, before anything happens. */
export function reachBy(book: SourceBook, ref: ObjectRef, routes: Routes, now: number): ReachBySource {
  const { programs, cut } = book.source();
  const isRead = programs.every((program) => program.program !== 'prometheus' || isBelieved(program, now));
  if (!isRead) return { ...reachUnknown, rules: [], receivers: [] };
  const sure = cut.length === 0;
  const rules: RuleFact[] = [];
  let isRuled: boolean | null = sure && !book.rules.hasUnread() ? false : null;
  for (const rule of book.rules.reading()) {
    if (!isWell(rule, now) || watchesAbsence(rule)) continue;
    const answer = reads(book, rule, ref);
    if (answer === true) rules.push(rule);
    else if (answer === null) isRuled = null;
  }
  if (rules.length > 0) {
    const ways = rules.map((rule) => routes.of(book, rule, ref));
    const ends = ways.map(({ end }) => end);
    const routed = ends.includes('calls') ? true : ends.includes('unclear') ? null : false;
    return { exported: true, ruled: true, routed, rules, receivers: ways.flatMap(({ receivers }) => receivers) };
  }
  const held = Array.from(book.scopes.standings(), ({ key }) => book.scopes.holds(key, ref));
  const exported = held.includes(true) ? true : held.includes(null) || held.length === 0 || !sure ? null : false;
  const ruled = exported === false ? false : isRuled;
  return { exported, ruled, routed: ruled, rules, receivers: [] };
}

/** The best of what several sources say: true if one does; false if all do; null while one cannot tell. */
export function bestOf(answers: readonly (boolean | null)[]): boolean | null {
  if (answers.includes(true)) return true;
  return answers.length === 0 || answers.includes(null) ? null : false;
}
