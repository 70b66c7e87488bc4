import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import { mostCounted, type Changed, type NotChanged } from '#lib/api/change.ts';
import { lasts } from '#lib/api/params.ts';
import { changeTypes, type NotedChange } from '#lib/domain/record/change.ts';
import type { Transition } from '#lib/domain/record/current.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { verdicts } from '#lib/domain/verdict/verdict.ts';
import { parseMoment } from '#lib/format/moment.ts';
import type { ChangeRange, StoreReader } from '#server/store/port/port.ts';
import type { RecordScope } from '#server/store/port/record-port.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { periodOf, vouchedUntil } from '../history/period.ts';
import { clustersOf } from '../history/record-scope.ts';
import { namesFrom, notRecorded, notThere } from '../requested/not-there.ts';
import { wireChange } from '../wire/object/wire-change.ts';
import type { WireContext } from '../wire/wire-context.ts';
import { wireCause, wireTransition } from '../wire/object/wire-object.ts';
import { wireTime, wireTimeOrNull } from '../wire/wire-time.ts';
import { cutToFit } from './cut-to-fit.ts';

/** Parameters of the page of changes: moments as in an address, or the `last` hours or days; '' for the last day, and for all clusters. */
export interface ChangedQuestion {
  readonly from: string;
  readonly to: string;
  readonly last: string;
  /** Several with commas. */
  readonly cluster: string;
}

/** Sources of its answer; `clusters` are those that are read now, and until when (ms) each is vouched for. */
export interface ChangedDeps {
  readonly store: StoreReader;
  readonly clusters: readonly { readonly name: string; readonly validUntil: number | null }[];
  readonly find: (ref: ObjectRef) => KnownObject | null;
  readonly context: WireContext;
}

const mostTransitions = 600;
const mostChanges = 400;

/** One change of verdict with its cause on the wire. */
export function wireNotedTransition(transition: Transition) {
  const { rootCause } = transition;
  return { ...wireTransition(transition), rootCause: rootCause === null ? null : wireCause(rootCause) };
}

/** Changes between two moments, as far as `moment` knows. */
export async function changedOf(moment: KnownMoment, question: ChangedQuestion): Promise<Changed | NotChanged> {
  const store = moment.reader();
  if (!store) return { type: 'unreadable' };
  const now = moment.now();
  const clusters = moment.fleet.all(now).map(({ name }) => {
    return { name, validUntil: moment.recordOf(name)?.validUntil ?? null };
  });
  const deps = { store, clusters, find: (ref: ObjectRef) => moment.find(ref, now), context: moment.context(now) };
  return changedBetween(question, deps).catch(() => ({ type: 'unreadable' }));
}

/** Changes between two moments: changes of verdict and what was changed on the clusters, as much of it as a page can show. */
export async function changedBetween(question: ChangedQuestion, deps: ChangedDeps): Promise<Changed | NotChanged> {
  const { store, clusters, find, context } = deps;
  const { cluster } = question;
  const [from, to] = [rfc(question.from), rfc(question.to)];
  if (from === null || to === null)
    return {
      type: 'bad-period',
      message: `"${from === null ? question.from : question.to}" cannot be read as a time.`,
    };
  const last = lasts.find((each) => each === question.last) ?? '24h';
  const period = periodOf({ from, to, last }, context.now);
  if ('type' in period)
    return { type: 'bad-period', message: `The beginning ${period.message.replace('"to"', 'the end')}.` };
  const named = clustersOf(question);
  const scope: RecordScope = { clusters: named };
  const since = await store.record.since(scope);
  const present = clusters.map(({ name }) => name);
  const missing = notThere(
    { cluster: (named ?? []).join(',') },
    namesFrom(() => present),
  );
  const unknown = await notRecorded(missing, store.record, context.now);
  if (unknown.length > 0) return { type: 'not-there', names: unknown };
  const judged = await store.record.transitions(scope, period, { cursor: null, limit: mostTransitions });
  const asked = { ...period, limit: mostChanges + 1 };
  const noted = await newestChanges(store, named, asked);
  const transitions = cutToFit(judged.items, judged.next !== null, ({ noticedAt }) => noticedAt);
  const changes = cutToFit(noted.slice(0, mostChanges), noted.length > mostChanges, ({ at }) => at);
  const ends = [transitions.back, changes.back].filter((end) => end !== null);
  const back = ends.length === 0 ? null : Math.max(...ends);
  const shown = (time: number, own: number | null): boolean =>
    back === null || time > back || (time === back && own === back);
  const kept = transitions.items.filter(({ noticedAt }) => shown(noticedAt, transitions.back));
  const listed = changes.items
    .filter(({ at }) => at >= period.from && at < period.to)
    .filter(({ at }) => shown(at, changes.back));
  const counted = await store.record.changeCounts(scope, period, changeTypes);
  return {
    asOf: wireTime(context.now),
    from: wireTime(period.from),
    to: wireTime(period.to),
    upToNow: question.to === '',
    cluster,
    clusters: present,
    total: {
      transitions: await store.record.transitionCount(scope, period, mostCounted),
      changes: counted.reduce((sum, { count }) => sum + count, 0),
    },
    transitions: kept.map(wireNotedTransition),
    changes: listed.map((change) => wireChange(change, find, context)),
    back: wireTimeOrNull(back),
    crowded: back !== null && [...kept.map(({ noticedAt }) => noticedAt), ...listed.map(({ at }) => at)].includes(back),
    recordedSince: wireTimeOrNull(since),
    observed: await shareObserved(store, scope, period, vouchedUntil(clusters, named)),
  };
}

/** Clusters that are asked for their changes at once: each may tell hundreds, and an address names a thousand. */
const askedAtOnce = 10;

/** The newest changes of the clusters that are named, of all for null, the newest first. */
async function newestChanges(
  store: Pick<StoreReader, 'changes'>,
  named: readonly string[] | null,
  asked: ChangeRange,
): Promise<readonly NotedChange[]> {
  const newestFirst = (a: NotedChange, b: NotedChange): number => b.at - a.at;
  if (named === null) return (await store.changes(asked)).toSorted(newestFirst);
  let newest: readonly NotedChange[] = [];
  for (let from = 0; from < named.length; from += askedAtOnce) {
    const some = named.slice(from, from + askedAtOnce);
    const found = await Promise.all(some.map((cluster) => store.changes({ ...asked, cluster })));
    newest = [...newest, ...found.flat()].toSorted(newestFirst).slice(0, asked.limit);
  }
  return newest;
}

/** A moment of an address in RFC 3339, '' for ''; null where it is none. */
function rfc(text: string): string | null {
  if (text === '') return '';
  const at = parseMoment(text);
  return at === null ? null : wireTime(at);
}

/** The share of its objects' time in a period that was observed. What lies past `until` (ms) was not. */
async function shareObserved(
  store: StoreReader,
  scope: RecordScope,
  period: Period,
  until: number,
): Promise<number | null> {
  const sum = async (to: number): Promise<{ readonly existed: number; readonly observed: number }> => {
    const [all] = to > period.from ? await store.record.shares(scope, { ...period, to }, 'total') : [];
    if (all === undefined) return { existed: 0, observed: 0 };
    const existed = verdicts.reduce((total, verdict) => total + all.shares[verdict], 0);
    return { existed, observed: existed - all.shares.unobserved };
  };
  const whole = await sum(period.to);
  const seen = until < period.to ? await sum(until) : whole;
  return whole.existed === 0 ? null : seen.observed / whole.existed;
}
