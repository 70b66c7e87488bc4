import type { AlarmFact, AlertFact, RuleFact } from '#lib/domain/alarm/fact.ts';
import { nextDue, often, orFailed, type Program, type ProgramDeps } from '../source/program.ts';
import { createStanding } from '../source/standing.ts';
import { createLabelReader } from '../words.ts';
import { createRulesReader } from './read-rules.ts';
import { readScopes } from './scopes.ts';
import { settledRule } from './settle-rule.ts';
import { wantedScopes } from './wanted-scopes.ts';

/** Starts with what is stored; reads rules with their alerts, and the scopes that they have. */
export function prometheusProgram(deps: ProgramDeps): Program {
  const { entry, address, ask, clock, log, random, signal, turn, stored, onRead } = deps;
  const standing = createStanding('prometheus', address, ['rules'], clock.now());
  const read = createRulesReader(entry.metrics, createLabelReader(entry.attribution.label));
  const scopes = readScopes(deps);
  let rules: readonly RuleFact[] = stored.filter((fact) => fact.type === 'rule');
  let alerts: readonly AlertFact[] = stored.filter((fact) => fact.type === 'alert');
  let cut: readonly string[] = [];
  /** When an alert of a rule was last seen firing, by the rule's key. */
  let firing: ReadonlyMap<string, number> = new Map();
  let due = clock.now() + random() * 1_000;

  async function readRules(): Promise<void> {
    const from = clock.now();
    due = nextDue(from, often, random);
    const reading = await orFailed(log, async () => {
      const answer = await ask('/api/v1/rules', { type: 'alert' });
      return answer.type === 'ok' ? read(answer.body, turn) : answer;
    });
    if (signal.aborted) return;
    if (reading.type === 'failed') standing.failed('rules', reading.reason, clock.now());
    else {
      const before = new Map(rules.map((rule) => [rule.key, rule]));
      firing = firingOf(reading.rules, reading.alerts, firing, from);
      rules = reading.rules.map((rule) => {
        const seenFiring = firing.get(rule.key) ?? null;
        const times = { at: from, isFiring: seenFiring === from, seenFiring };
        return settledRule(rule, before.get(rule.key) ?? null, times);
      });
      alerts = reading.alerts;
      const wanted = wantedScopes(rules, entry.metrics);
      cut = [...reading.cut, ...wanted.cut];
      scopes.want(wanted.scopes);
      standing.succeeded('rules', from, clock.now(), true);
    }
    onRead(from, []);
  }

  const isLive = (): boolean => standing.now().state === 'live';
  return {
    tasks: [
      { dueAt: () => due, run: readRules },
      { dueAt: () => (isLive() ? scopes.dueAt() : Infinity), run: scopes.run },
    ],
    standing: standing.now,
    facts: (): readonly (readonly AlarmFact[])[] => [rules, alerts, scopes.facts()],
    cut: () => [...cut, ...scopes.cut()],
    untold: () => null,
  };
}

/** Rules that are there, and when an alert of each was last seen firing. */
function firingOf(
  rules: readonly RuleFact[],
  alerts: readonly AlertFact[],
  before: ReadonlyMap<string, number>,
  at: number,
): ReadonlyMap<string, number> {
  const now = new Set(alerts.flatMap(({ state, rule }) => (state === 'firing' ? [rule] : [])));
  return new Map(
    rules.flatMap(({ key }) => {
      const seen = now.has(key) ? at : before.get(key);
      return seen === undefined ? [] : [[key, seen] as const];
    }),
  );
}
