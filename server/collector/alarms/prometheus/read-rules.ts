import { createHash } from 'node:crypto';
import type { AlertFact, RuleFact } from '#lib/domain/alarm/fact.ts';
import { type RuleReading, readRule } from '#lib/domain/alarm/selector/selectors.ts';
import { redact } from '#lib/domain/observation/redact.ts';
import { foreignMessage, foreignWord, messageAt, reasonAt, unkeptTextAt, wordAt } from '#lib/foreign-words.ts';
import { day } from '#lib/domain/time/length.ts';
import { at, listAt, numberAt, objectAt, timeAt } from '#lib/foreign.ts';
import { boundedMap } from '#server/runtime/bounded-map.ts';
import { lettersIn } from '../../row-budget/letters.ts';
import { alertsInATurn, firstOf, most, unreadable } from '../left-out.ts';
import { byText, type LabelReader } from '../words.ts';
import { partialText, successData } from './success-data.ts';

/** Rules and alerts of one reading; `firedAt` of the rules is not known yet. */
export type RulesReading =
  | {
      readonly type: 'ok';
      readonly rules: readonly RuleFact[];
      readonly alerts: readonly AlertFact[];
      readonly cut: readonly string[];
    }
  | { readonly type: 'failed'; readonly reason: string };

/** Reads answers to `/api/v1/rules?type=alert`. `turn`: lets others have their turn, between rules. */
export type RulesReader = (body: unknown, turn: () => Promise<void>) => Promise<RulesReading>;

/** So much of expressions that are not known yet is taken apart in one reading, the rest in the next ones (UTF-16 units): some seconds at worst. */
const mostAnalysed = 2_000_000;

/** Then others have their turn; a rule that is known counts as so much (UTF-16 units). */
const longestTurn = 20_000;
const perRule = 400;

/** Makes a reader that takes each expression apart once. `prefixes`: how metrics begin that name objects. */
export function createRulesReader(prefixes: readonly string[], readLabels: LabelReader): RulesReader {
  const known = knownReadings();
  return async (body, turn) => {
    const groups = at(successData(body), 'groups');
    if (!Array.isArray(groups))
      return { type: 'failed', reason: 'Its answer is not that of Prometheus to /api/v1/rules.' };
    const all = groups.flatMap((group: unknown) =>
      listAt(group, 'rules').flatMap((rule) => (unkeptTextAt(rule, 'type') === 'alerting' ? [{ group, rule }] : [])),
    );
    const { kept, cut } = firstOf(all, most.rules, 'rule');
    const drafts: Draft[] = [];
    let left = mostAnalysed;
    let inTurn = 0;
    function analyse(query: string): RuleReading {
      const digest = createHash('sha256').update(query).digest('base64url');
      const before = known.get(digest);
      if (before !== undefined) return before;
      if (query.length > left) return { selectors: null, keeps: null };
      left -= query.length;
      inTurn += query.length;
      // A part of a text holds all of it in memory: what is kept is copied.
      const reading = structuredClone(readingOf(query, prefixes));
      known.set(digest, reading);
      return reading;
    }
    for (const each of kept) {
      if (inTurn > longestTurn) {
        await turn();
        inTurn = 0;
      }
      inTurn += perRule;
      const draft = draftOf(each, analyse, readLabels);
      if (draft !== null) drafts.push(draft);
    }
    const rules = numbered(drafts);
    const { alerts, cut: cutAlerts } = await alertsOf(rules, readLabels, turn);
    const lost = kept.length - drafts.length;
    return {
      type: 'ok',
      rules: rules.map(({ rule }) => rule),
      alerts,
      cut: [...partialText(body), ...cut, ...unreadable(lost, 'rule'), ...cutAlerts],
    };
  };
}

/** Longest readings that are remembered together (UTF-16 units): those of thousands of rules as people write them have some hundred each. */
const longestKnown = 20_000_000;

/** Readings of expressions by their digests: an expression of a megabyte is not kept only to be known again. */
function knownReadings() {
  let known = boundedMap<string, RuleReading>(most.rules);
  let letters = 0;
  return {
    get: (digest: string): RuleReading | undefined => known.get(digest),
    set(digest: string, reading: RuleReading): void {
      letters += digest.length + lettersIn(reading);
      if (letters > longestKnown) {
        known = boundedMap(most.rules);
        letters = 0;
      }
      known.set(digest, reading);
    },
  };
}

/** A scope that must not be kept as it is would ask for something else: then nothing is known of what the rule reads. */
function readingOf(query: string, prefixes: readonly string[]): RuleReading {
  const reading = readRule(query, prefixes);
  const isClean = reading.selectors?.every(({ scope, metric, states }) =>
    [scope, metric ?? '', ...states.flatMap(({ name, value }) => [name, value])].every(
      (text) => redact(text, longestKept) === text,
    ),
  );
  const keeps = reading.keeps?.slice(0, mostKeeps).map(foreignWord) ?? null;
  return { selectors: isClean === true ? reading.selectors : null, keeps };
}

const longestKept = 2_000;
const mostKeeps = 64;

interface Draft {
  /** Without its number among equals. */
  readonly rule: RuleFact;
  /** Raw, for it is larger than what is kept of it. */
  readonly alerts: readonly unknown[];
  /** Orders rules that have one key. */
  readonly order: string;
}

function draftOf(each: unknown, analyse: (query: string) => RuleReading, readLabels: LabelReader): Draft | null {
  const { group, rule } = objectAt(each);
  const name = wordAt(rule, 'name');
  const query = unkeptTextAt(rule, 'query');
  const interval = numberAt(group, 'interval') ?? -1;
  const holds = numberAt(rule, 'duration') ?? 0;
  if (name === null || query === null || interval < 0 || holds < 0) return null;
  const file = wordAt(group, 'file') ?? '';
  const groupName = wordAt(group, 'name') ?? '';
  const labels = readLabels(rule, 'labels');
  const error = messageAt(rule, 'lastError');
  const fact: RuleFact = {
    type: 'rule',
    key: ruleKey(file, groupName, name),
    name,
    group: groupName,
    file,
    query: foreignMessage(query),
    holds: Math.min(Math.round(holds * 1_000), longestTime),
    interval: Math.min(Math.round(interval * 1_000), longestTime),
    labels,
    health: healthOf(reasonAt(rule, 'health')),
    error: error === '' ? null : error,
    evaluatedAt: timeAt(rule, 'lastEvaluation'),
    ...analyse(query),
    firedAt: null,
  };
  return { rule: fact, alerts: listAt(rule, 'alerts'), order: JSON.stringify([query, labels, holds]) };
}

/** Longest key of a rule that is kept as it is (UTF-16 units): it stands in each of its alerts, of which there are tens of thousands. */
const longestKey = 300;

function ruleKey(file: string, group: string, name: string): string {
  const key = [file, group, name].join('; ');
  return key.length <= longestKey ? key : `${key.slice(0, 100)}… ${digestOfText(key)}`;
}

/** Longest `for` and interval (ms): that of a duration in Go. More could not be stored as a number. */
const longestTime = 292 * 365 * day;

function healthOf(said: string | null): RuleFact['health'] {
  return said === 'ok' || said === 'err' ? said : 'unknown';
}

/** Rules of one file, group and name are told apart by a number, in an order that is the same at each reading. */
function numbered(drafts: readonly Draft[]): readonly Draft[] {
  const equals = Map.groupBy(drafts, ({ rule }) => rule.key);
  return [...equals.values()].flatMap((same) =>
    same
      .toSorted((a, b) => byText(a.order, b.order))
      .map((draft, number) => ({ ...draft, rule: { ...draft.rule, key: `${draft.rule.key}; ${number}` } })),
  );
}

async function alertsOf(drafts: readonly Draft[], readLabels: LabelReader, turn: () => Promise<void>) {
  const all = drafts.flatMap(({ rule, alerts }) => alerts.map((alert) => ({ rule: rule.key, alert })));
  const { kept, cut } = firstOf(all, most.alerts, 'alert');
  const alerts = new Map<string, AlertFact>();
  let lost = 0;
  for (const [index, { rule, alert }] of all.slice(0, kept.length).entries()) {
    if (index % alertsInATurn === alertsInATurn - 1) await turn();
    const state = reasonAt(alert, 'state');
    const activeAt = timeAt(alert, 'activeAt');
    if (state === 'inactive') continue;
    const said = objectAt(alert, 'labels');
    const isKnown = (state === 'pending' || state === 'firing') && Object.keys(said).length <= mostSaid;
    if (!isKnown || activeAt === null) {
      lost += 1;
      continue;
    }
    const labels = readLabels(alert, 'labels');
    const key = `${rule}; ${digestOf(said)}`;
    alerts.set(key, { type: 'alert', key, rule, labels, state, activeAt });
  }
  return { alerts: [...alerts.values()], cut: [...cut, ...unreadable(lost, 'alert')] };
}

/** Most labels of an alert, which all are looked at: it is its labels. */
const mostSaid = 1_000;

function digestOf(labels: object): string {
  const sorted = Object.entries(labels).sort(([a], [b]) => byText(a, b));
  return digestOfText(JSON.stringify(sorted));
}

function digestOfText(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
