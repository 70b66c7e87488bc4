import type { Matcher, SilenceFact } from '#lib/domain/alarm/fact.ts';
import { foreignLabel, messageAt, nameAt, reasonAt, unkeptTextAt } from '#lib/foreign-words.ts';
import { booleanAt, listAt, timeAt } from '#lib/foreign.ts';
import { firstOf, most, unreadable } from '../left-out.ts';
import { byText } from '../words.ts';
import type { FactsReading } from './read-notices.ts';

const mostMatchers = 64;

/** Then others have their turn: a hostile matcher takes a millisecond to clean. */
const matchersInATurn = 64;

/** Reads an answer to `/api/v2/silences`; those that have expired are none. `turn`: lets others have their turn, between silences. */
export async function readSilences(body: unknown, turn: () => Promise<void>): Promise<FactsReading<SilenceFact>> {
  if (!Array.isArray(body))
    return { type: 'failed', reason: 'Its answer is not that of Alertmanager to /api/v2/silences.' };
  const standing = body.filter((silence: unknown) => unkeptTextAt(silence, 'status', 'state') !== 'expired');
  const { kept, cut } = firstOf(standing, most.silences, 'silence');
  const found = new Map<string, SilenceFact>();
  let lost = 0;
  let inTurn = 0;
  for (const each of kept) {
    inTurn += 1 + listAt(each, 'matchers').length;
    if (inTurn > matchersInATurn) {
      await turn();
      inTurn = 0;
    }
    const silence = silenceOf(each);
    if (silence === null) lost += 1;
    else found.set(silence.key, silence);
  }
  return { type: 'ok', facts: [...found.values()], cut: [...cut, ...unreadable(lost, 'silence')] };
}

function silenceOf(silence: unknown): SilenceFact | null {
  const key = nameAt(silence, 'id');
  const state = reasonAt(silence, 'status', 'state');
  const startsAt = timeAt(silence, 'startsAt');
  const endsAt = timeAt(silence, 'endsAt');
  const said = listAt(silence, 'matchers');
  const matchers = said.slice(0, mostMatchers).flatMap((matcher) => matcherOf(matcher) ?? []);
  if (key === null || (state !== 'active' && state !== 'pending') || startsAt === null || endsAt === null) return null;
  if (matchers.length < said.length) return null;
  return {
    type: 'silence',
    key,
    state,
    startsAt,
    endsAt,
    by: reasonAt(silence, 'createdBy') ?? '',
    comment: messageAt(silence, 'comment') ?? '',
    matchers: matchers.sort((a, b) => byText(JSON.stringify(a), JSON.stringify(b))),
  };
}

function matcherOf(matcher: unknown): Matcher | null {
  const name = nameAt(matcher, 'name');
  const value = unkeptTextAt(matcher, 'value');
  if (name === null || value === null) return null;
  const isPattern = booleanAt(matcher, 'isRegex') ?? false;
  // Alertmanager before 0.22 knows none that says what a label is not.
  const isEqual = booleanAt(matcher, 'isEqual') ?? true;
  return { name, operator: operatorOf(isEqual, isPattern), value: foreignLabel(value) };
}

function operatorOf(isEqual: boolean, isPattern: boolean): Matcher['operator'] {
  if (isEqual) return isPattern ? '=~' : '=';
  return isPattern ? '!~' : '!=';
}
