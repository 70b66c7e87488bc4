import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import type { GoQuery, WireGo } from '#lib/api/pager/go.ts';
import { objectPath } from '#lib/api/paths.ts';
import { assumptionText, matchOf, type Match } from '#lib/domain/pager/match.ts';
import { givenLabels, wantedOf, withGuessedCluster } from '#lib/domain/pager/given.ts';
import { unreadText, type ReadLabels } from '#lib/domain/pager/label.ts';
import { foreignLabel, foreignMessage, foreignName, foreignWord } from '#lib/foreign-words.ts';
import { parsePagerTime } from '#lib/format/pager/pager-time.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { firstOf } from '../wire/lists/first-of.ts';
import { comparePositions, positionOf } from '../wire/lists/worst-first.ts';
import type { WireContext } from '../wire/wire-context.ts';
import { refOnly, wireObject } from '../wire/object/wire-object.ts';
import { wireTime } from '../wire/wire-time.ts';
import { completed, type Completed } from './completed.ts';
import type { Found } from './found.ts';
import { sentenceOf } from './go-sentence.ts';
import { knownOf, nearestOf } from './known-parts.ts';
import { recordedOf } from './recorded.ts';
import { waysFrom, wayToAll } from './ways.ts';

/** Most objects that are listed. */
const mostListed = 50;

/** The time that a link gives, as it was written; '' for none. */
export function timeGiven({ at, startsAt }: Pick<GoQuery, 'at' | 'startsAt'>): string {
  return at.trim() === '' ? startsAt.trim() : at.trim();
}

/** The object that labels name, as known at one moment, with what is known where there is none. It knows of no other moment. */
export async function resolved(moment: KnownMoment, query: GoQuery): Promise<WireGo> {
  const now = moment.now();
  const fleet = moment.fleet.all(now);
  const read = givenLabels(query);
  const given = timeGiven(query);
  const more = await completed(moment, read.labels, given === '' ? null : parsePagerTime(given));
  const names = new Set(fleet.map(({ name }) => name));
  const wanted = withGuessedCluster(wantedOf(more.labels), more.labels, (name) => names.has(name));
  const match = matchOf(wanted, fleet);
  const found: Found = {
    ...{ read, wanted, match, fleet, isMissing: more.isMissing },
    past: parsePagerTime(given) === now,
  };
  const answer = {
    ...emptyAnswer(read, now),
    ...matched(match, moment.context(now)),
    ...foundIn(more),
    sentence: sentenceOf(found),
  };
  if (match.type !== 'none') return { ...answer, ways: wayToAll(match, answer.total) };
  const { recorded, isRead } = await recordedOf(moment, wanted);
  return {
    ...answer,
    known: [
      ...knownOf(found, now),
      ...(isRead ? [] : ['The record cannot be read now: what was there before cannot be said.']),
    ],
    nearest: nearestOf(wanted, fleet).map(refOnly),
    recorded,
    ways: waysFrom(wanted, fleet),
  };
}

function foundIn({ found, foundBy }: Completed): Pick<WireGo, 'found' | 'foundBy'> {
  return {
    found: found.map(({ name, value }) => ({ name: foreignName(name), value: foreignLabel(value) })),
    foundBy: foundBy.map(foreignMessage),
  };
}

/** An answer that says nothing but what was given. Takes ms. */
export function emptyAnswer({ labels, unread }: ReadLabels, now: number): WireGo {
  return {
    asOf: wireTime(now),
    at: null,
    timeNote: null,
    outcome: 'none',
    sentence: 'What is known cannot be read now.',
    assumed: [],
    unread: [...new Set(unread.map((one) => foreignMessage(unreadText(one))))],
    given: labels.map(({ name, value }) => ({ name: foreignName(name), value: foreignWord(value) })),
    found: [],
    foundBy: [],
    target: null,
    objects: [],
    total: 0,
    known: [],
    nearest: [],
    recorded: [],
    thereNow: [],
    incidents: [],
    incidentsOn: null,
    ways: [{ text: 'Fleet', href: '/' }],
  };
}

function matched(match: Match<KnownObject>, context: WireContext): Partial<WireGo> {
  if (match.type === 'none') return {};
  const assumed = match.type === 'exact' ? [] : match.assumed.map((one) => foreignMessage(assumptionText(one)));
  const all = match.type === 'several' ? match.objects : [match.object];
  const first = firstOf(positioned(all, context), mostListed, (a, b) => comparePositions(a.position, b.position));
  return {
    outcome: match.type,
    assumed,
    objects: first.map(({ object }) => wireObject(object, context)),
    total: all.length,
    target: match.type === 'exact' ? objectPath(match.object.ref) : null,
  };
}

/**
 * Objects that may be among the first, with their positions. All that is converged stands by its cluster and name alone, and comes
 * cluster by cluster: as many clusters are looked through as fill the list, for there may be hundreds of thousands of objects.
 */
function* positioned(all: readonly KnownObject[], context: WireContext) {
  let count = 0;
  for (const object of all) {
    if (object.verdict === 'converged') continue;
    count += 1;
    yield { object, position: positionOf(object, context) };
  }
  let cluster = '';
  for (const object of all) {
    if (object.verdict !== 'converged') continue;
    if (count >= mostListed && object.ref.cluster !== cluster) return;
    ({ cluster } = object.ref);
    count += 1;
    yield { object, position: positionOf(object, context) };
  }
}
