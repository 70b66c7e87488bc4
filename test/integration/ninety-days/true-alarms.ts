// Who was called for what was away, computed from the script of a past alone: from what each call names as the script knows it, not from its labels,
// nor by any code of the record or of the chain.
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { CallPast, Script, SourcePast, Stage } from '#server/simulator/past/script.ts';
import { lengthOf, within, without, type Stretch } from './stretches.ts';
import {
  absencesOf,
  blindTo,
  isDuring,
  isIn,
  knownOf,
  nameOf,
  objectsIn,
  overdueTimes,
  spanOf,
  spread,
  awayWords,
  type TrueAbsence,
  type TrueScope,
} from './truth.ts';

function timeOf({ call: { from, to } }: CallPast): Stretch {
  return { from, to: to ?? Infinity };
}

/** Calls of a script, by what they name. */
interface Called {
  readonly all: readonly CallPast[];
  readonly byName: ReadonlyMap<string, readonly CallPast[]>;
  /** Those that name no object. */
  readonly groups: readonly CallPast[];
}

const read = new WeakMap<Script, Called>();

function calledIn(script: Script): Called {
  const known = read.get(script);
  if (known !== undefined) return known;
  const all = script.alarms.flatMap(({ calls }) => calls);
  const named = all.flatMap((one) => (one.names === null ? [] : [[nameOf(one.names), one] as const]));
  const byName = new Map(
    [...Map.groupBy(named, ([name]) => name)].map(([name, of]) => [name, of.map(([, one]) => one)]),
  );
  const made = { all, byName, groups: all.filter(({ names }) => names === null) };
  read.set(script, made);
  return made;
}

/** The object that another waits for, if a call can name it. */
function waitsFor({ rootCause }: Stage): ObjectRef | null {
  if (rootCause?.type === 'object') return rootCause.ref;
  if (rootCause?.type === 'shared-error') return rootCause.providerConfig;
  if (rootCause?.type !== 'controller') return null;
  const { cluster, namespace, name } = rootCause;
  return { cluster, group: 'apps', kind: 'Deployment', namespace, name };
}

/** Times of an absence in which somebody was called for it: by its own name, or by that of what it waited for at that time. */
function calledTimes(script: Script, { ref, openedAt, closedAt, away }: TrueAbsence): readonly Stretch[] {
  const { byName } = calledIn(script);
  const callsOf = (one: ObjectRef | null): readonly Stretch[] =>
    one === null ? [] : (byName.get(nameOf(one)) ?? []).map(timeOf);
  return [
    ...callsOf(ref).flatMap((call) => within(call, { from: openedAt, to: closedAt }) ?? []),
    ...away.flatMap((known) => callsOf(waitsFor(known.stage)).flatMap((call) => within(call, known) ?? [])),
  ];
}

function readTimes({ since, unread }: SourcePast): readonly Stretch[] {
  return without([{ from: since, to: Infinity }], unread);
}

/** Times in which it could not be known who was called for an object: a source that spoke for it was not read, none spoke, or a call named nobody. */
function unknownTimes(script: Script, { cluster }: ObjectRef): readonly Stretch[] {
  const speaking = script.alarms.filter(({ clusters }) => clusters.includes(cluster));
  const spoken = speaking.map(({ since }) => ({ from: since, to: Infinity }));
  const groups = calledIn(script).groups.filter(({ call }) => call.cluster === cluster);
  return [
    ...without([{ from: -Infinity, to: Infinity }], spoken),
    ...speaking.flatMap(({ unread }) => unread),
    ...groups.map(timeOf),
  ];
}

/** Overdue times of an absence in a period, in three parts. */
function partsOf(script: Script, absence: TrueAbsence, overdue: readonly Stretch[]) {
  const uncalled = without(overdue, calledTimes(script, absence));
  const silent = without(uncalled, unknownTimes(script, absence.ref));
  return {
    called: lengthOf(overdue) - lengthOf(uncalled),
    unknown: lengthOf(uncalled) - lengthOf(silent),
    silent: lengthOf(silent),
  };
}

/** True if at some time of an absence before a moment (ms) it was not known whether anybody was called for it. */
function isUnknownBefore(script: Script, absence: TrueAbsence, before: number): boolean {
  const time = { from: absence.openedAt, to: before };
  return [...unknownTimes(script, absence.ref), ...beforeNoticed(script, absence)].some(
    (one) => within(one, time) !== null,
  );
}

/** Times before an absence was noticed in which somebody was called for what it waited for then: it may have waited for it already. */
function beforeNoticed(script: Script, { openedAt, away: [first] }: TrueAbsence): readonly Stretch[] {
  const cause = first === undefined ? null : waitsFor(first.stage);
  if (first === undefined || cause === null) return [];
  const calls = calledIn(script).byName.get(nameOf(cause)) ?? [];
  return calls.flatMap((one) => within(timeOf(one), { from: openedAt, to: first.from }) ?? []);
}

/** When somebody was called for an absence first, as known at the end of a period; Infinity for never. */
function firstCall(script: Script, absence: TrueAbsence, { to }: Stretch): number {
  const times = calledTimes(script, absence).map(({ from }) => from);
  return Math.min(...times.filter((from) => from < to), Infinity);
}

/** First known call for an absence by the end of a period: when, and whether it is known to be the first; null for none. */
export function trueFirst(script: Script, absence: TrueAbsence, period: Stretch) {
  const at = firstCall(script, absence, period);
  return at === Infinity ? null : { at, isExact: !isUnknownBefore(script, absence, at) };
}

/** True if an absence lasted past its deadline at some time in a period, and was known. */
export function isPastDeadline(
  { openedAt, noticedAt, closedAt }: TrueAbsence,
  period: Stretch,
  alarmWithin: number,
): boolean {
  return within({ from: Math.max(openedAt + alarmWithin, noticedAt), to: closedAt }, period) !== null;
}

/** Standing of an absence that lasted past its deadline with its first call, by the end of a period. */
export function trueCalled(
  script: Script,
  absence: TrueAbsence,
  period: Stretch,
  alarmWithin: number,
): 'inTime' | 'late' | 'never' | 'unknown' {
  const first = firstCall(script, absence, period);
  const deadline = absence.openedAt + alarmWithin;
  if (first < deadline) return 'inTime';
  const isCalled = first < Infinity;
  if (isUnknownBefore(script, absence, isCalled ? deadline : Math.min(absence.closedAt, period.to))) return 'unknown';
  return isCalled ? 'late' : 'never';
}

/** True if a call named an object that was seen all the time and never away, as known at the end of a period. */
function isNeedless(script: Script, one: CallPast, { to }: Stretch): boolean {
  const time = within(timeOf(one), { from: -Infinity, to });
  const named = one.names === null ? null : nameOf(one.names);
  const past = script.objects.find(({ object }) => nameOf(object.ref) === named);
  if (past === undefined || time === null) return false;
  const bad = knownOf(past).filter(({ stage }) => awayWords.has(stage.verdict) || stage.verdict === 'unobserved');
  const left = absencesOf([past]).map(({ openedAt, closedAt }) => ({ from: openedAt, to: closedAt }));
  const seen = without(
    past.spans.flatMap((span) => within(spanOf(span), time) ?? []),
    [...blindTo(script, past.object.ref), ...bad, ...left],
  );
  return lengthOf(seen) === time.to - time.from;
}

function isCallIn({ clusters, kind }: TrueScope, { names, call }: CallPast): boolean {
  if (clusters !== null && (call.cluster === null || !clusters.includes(call.cluster))) return false;
  return kind === null || (names !== null && isIn({ clusters: null, kind }, names));
}

function time(at: number): string {
  return new Date(at).toISOString();
}

/** Alerts that called, most calls first, then the one that called last. */
function alertsOf(calls: readonly CallPast[]) {
  return [...Map.groupBy(calls, ({ call }) => `${call.source} ${call.alert}`).values()]
    .map((of) => ({
      source: of[0]?.call.source,
      alert: of[0]?.call.alert,
      calls: of.length,
      lastAt: Math.max(...of.map(({ call }) => call.from)),
    }))
    .toSorted((a, b) => b.calls - a.calls || b.lastAt - a.lastAt)
    .map(({ lastAt, ...alert }) => ({ ...alert, lastAt: time(lastAt) }));
}

/** The figures of one period about alarms, as the report has to have them. */
export function alarmFiguresOf(script: Script, scope: TrueScope, period: Stretch, alarmWithin: number) {
  const speaking = script.alarms.filter(
    ({ clusters }) => scope.clusters === null || clusters.some((cluster) => scope.clusters?.includes(cluster)),
  );
  if (!speaking.some((source) => readTimes(source).some((one) => within(one, period) !== null)))
    return { said: 'cannot-be-said', why: 'no-source-read' } as const;
  const absences = absencesOf(objectsIn(script, scope));
  const sum = { called: 0, silent: 0, unknown: 0 };
  const counts = { inTime: 0, late: 0, never: 0, unknown: 0 };
  for (const absence of absences) {
    const parts = partsOf(script, absence, overdueTimes(script, absence, period, alarmWithin));
    sum.called += parts.called;
    sum.silent += parts.silent;
    sum.unknown += parts.unknown;
    if (isPastDeadline(absence, period, alarmWithin)) counts[trueCalled(script, absence, period, alarmWithin)] += 1;
  }
  const began = absences.filter(({ noticedAt, bound }) => isDuring(noticedAt, period) && bound === 'exact');
  const firsts = began.flatMap((one) => {
    const first = trueFirst(script, one, period);
    return first === null ? [] : [{ took: first.at - one.openedAt, isExact: first.isExact }];
  });
  const exact = firsts.filter(({ isExact }) => isExact);
  const calls = calledIn(script).all.filter((one) => isDuring(one.call.from, period) && isCallIn(scope, one));
  const alerts = alertsOf(calls);
  return {
    said: 'told' as const,
    calledMs: sum.called,
    silentMs: sum.silent,
    unknownMs: sum.unknown,
    overdue: counts,
    toCall: spread(exact.map(({ took }) => took)),
    toCallAtMost: firsts.length - exact.length,
    calls: calls.length,
    withoutAbsence: calls.filter((one) => isNeedless(script, one, period)).length,
    alerts,
    alertsTotal: alerts.length,
    unlooked: [],
  };
}
