// Who was called for what was away, counted again from the rows: cut at every moment at which anything begins or ends, and of each piece is asked what
// held at its beginning.
import { z } from 'zod';
import { away, isDuring, isIn, nameOf, observableIn, spreadOf, type Scope } from './own-count.ts';
import type { AbsenceRow, CalledName, CallRow, ObjectRows, RecordRows, RowCause } from './rows.ts';
import { knownOf, type Between } from './stretches.ts';
import { Moment } from './wire.ts';

const Spread = z.object({ count: z.number(), medianMs: z.number().nullable(), p95Ms: z.number().nullable() });

export const AlarmAnswer = z.discriminatedUnion('said', [
  z.object({ said: z.literal('cannot-be-said'), why: z.literal('no-source-read') }),
  z.object({
    said: z.literal('told'),
    calledMs: z.number(),
    silentMs: z.number(),
    unknownMs: z.number(),
    overdue: z.object({ inTime: z.number(), late: z.number(), never: z.number(), unknown: z.number() }),
    toCall: Spread,
    toCallAtMost: z.number(),
    calls: z.number(),
    withoutAbsence: z.number().nullable(),
    alerts: z.array(z.object({ source: z.string(), alert: z.string(), calls: z.number(), lastAt: Moment })),
    alertsTotal: z.number(),
  }),
]);
export type AlarmAnswer = z.infer<typeof AlarmAnswer>;

/** Question of a period; times and durations in ms. */
interface AlarmQuestion {
  readonly rows: RecordRows;
  readonly scope: Scope;
  readonly period: Between;
  readonly alarmWithin: number;
}

type State = 'called' | 'unknown' | 'silent';

function lasts({ from, to }: Between, at: number): boolean {
  return from <= at && at < to;
}

/** Name of the object that a call names; '' where it names none. */
function calledName({ names, cluster }: CallRow): string {
  return names === null || cluster === null ? '' : nameOf({ cluster, ...names });
}

/** The object that a cause is; null of one that no call can name. */
function objectOf(cause: RowCause | null): (CalledName & { readonly cluster: string }) | null {
  if (cause?.type === 'object') return cause.ref ?? null;
  if (cause?.type === 'shared-error') return cause.providerConfig ?? null;
  if (cause?.type !== 'controller') return null;
  const { cluster = '', namespace = '', name = '' } = cause;
  return { cluster, group: 'apps', kind: 'Deployment', namespace, name };
}

/** Calls on a cluster, and the last words on the sources that speak for it, by the moment. */
function onCluster({ calls, alarmCoverage }: RecordRows, cluster: string) {
  const own = calls.filter((call) => call.cluster === cluster).map((call) => ({ ...call, name: calledName(call) }));
  const points = alarmCoverage.filter(({ clusters }) => clusters.length === 0 || clusters.includes(cluster));
  const sources = [...new Set(points.map(({ source }) => source))];
  return {
    calls: own,
    turns: points.map(({ at }) => at),
    isRead(at: number): boolean {
      const words = sources.flatMap((source) => points.findLast((one) => one.source === source && one.at <= at) ?? []);
      return words.length > 0 && words.every(({ read }) => read);
    },
  };
}

type OnCluster = ReturnType<typeof onCluster>;
const clusters = new WeakMap<RecordRows, Map<string, OnCluster>>();

function clusterOf(rows: RecordRows, name: string): OnCluster {
  const known = clusters.get(rows) ?? new Map<string, OnCluster>();
  clusters.set(rows, known);
  const found = known.get(name) ?? onCluster(rows, name);
  known.set(name, found);
  return found;
}

/** Answers about one absence. */
function askOf(rows: RecordRows, { ref }: ObjectRows, absence: AbsenceRow) {
  const { calls: all, turns, isRead } = clusterOf(rows, ref.cluster);
  const { openedAt, closedAt } = absence;
  const calls = all.filter(({ from, to }) => from < closedAt && to > openedAt);
  const faults = rows.faults.get(absence.id) ?? [];
  const own = nameOf(ref);
  const causes = faults.map(({ at, cause }) => ({ at, name: nameOf(objectOf(cause) ?? ref) }));
  const noted = Math.min(...causes.map(({ at }) => at));
  const stateAt = (at: number): State => {
    const lasting = calls.filter((call) => lasts(call, at));
    const cause = causes.findLast((one) => one.at <= at)?.name;
    if (lasting.some(({ name }) => name === own || name === cause)) return 'called';
    // What is noted first may have been the cause before.
    const toCome = causes.findLast((one) => one.at <= noted)?.name;
    if (cause === undefined && lasting.some(({ name }) => name === toCome)) return 'unknown';
    return isRead(at) && lasting.every(({ names }) => names !== null) ? 'silent' : 'unknown';
  };
  const edges = [...calls.flatMap(({ from, to }) => [from, to]), ...turns, ...faults.map(({ at }) => at)];
  const cuts = [...new Set(edges)].filter((at) => at >= openedAt && at < closedAt).toSorted((a, b) => a - b);
  return { stateAt, cuts };
}

/** Times past the deadline in which an object was seen away. */
function overdueOf(
  rows: RecordRows,
  object: ObjectRows,
  absence: AbsenceRow,
  period: Between,
  alarmWithin: number,
): readonly Between[] {
  const { openedAt, noticedAt, closedAt } = absence;
  return knownOf(object, rows, period)
    .filter(({ state }) => away.has(state))
    .map(({ from, to }) => ({ from: Math.max(from, noticedAt, openedAt + alarmWithin), to: Math.min(to, closedAt) }))
    .filter(({ from, to }) => from < to);
}

function pieces(
  { stateAt, cuts }: ReturnType<typeof askOf>,
  overdue: readonly Between[],
): readonly { readonly state: State; readonly length: number }[] {
  return overdue.flatMap(({ from, to }) => {
    const inside = [from, ...cuts.filter((at) => at > from && at < to)];
    return inside.map((at, index) => ({ state: stateAt(at), length: (inside[index + 1] ?? to) - at }));
  });
}

/** True if a source that speaks for any of these clusters was read at some time. */
function wasRead({ alarmCoverage }: RecordRows, { clusters: named }: Scope, period: Between): boolean {
  const speaks = (of: readonly string[]): boolean =>
    named === null || of.length === 0 || of.some((one) => named.includes(one));
  return alarmCoverage.some((point, index) => {
    const next = alarmCoverage.slice(index + 1).find(({ source }) => source === point.source)?.at ?? Infinity;
    return point.read && speaks(point.clusters) && Math.max(point.at, period.from) < Math.min(next, period.to);
  });
}

/** True if each object that a call names was seen all the time and was in no absence. */
function isNeedless(rows: RecordRows, call: CallRow, until: number): boolean {
  const time = { from: call.from, to: Math.min(call.to, until) };
  const name = calledName(call);
  const object = rows.objects.find(({ ref }) => ref.name === call.names?.name && nameOf(ref) === name);
  if (object === undefined || time.from >= time.to) return false;
  const well = knownOf(object, rows, time).filter(({ state }) => state !== 'unobserved' && !away.has(state));
  const isAway = object.absences.some(({ openedAt, closedAt }) => openedAt < time.to && closedAt > time.from);
  return !isAway && well.reduce((sum, { from, to }) => sum + to - from, 0) === time.to - time.from;
}

/** The figures of a period about who was called. */
export function countAlarms({ rows, scope, period, alarmWithin }: AlarmQuestion): AlarmAnswer {
  if (!wasRead(rows, scope, period)) return { said: 'cannot-be-said', why: 'no-source-read' };
  const sum = { called: 0, silent: 0, unknown: 0 };
  const overdue = { inTime: 0, late: 0, never: 0, unknown: 0 };
  const took: number[] = [];
  let toCallAtMost = 0;
  for (const object of observableIn(rows, scope))
    for (const absence of object.absences) {
      const { openedAt, closedAt, noticedAt, bound } = absence;
      if (openedAt >= period.to || closedAt <= period.from) continue;
      const asked = askOf(rows, object, absence);
      const end = Math.min(closedAt, period.to);
      const first = [openedAt, ...asked.cuts].find(
        (at) => at >= openedAt && at < end && asked.stateAt(at) === 'called',
      );
      const isKnownBefore = (before: number): boolean =>
        [openedAt, ...asked.cuts].every((at) => at >= before || asked.stateAt(at) !== 'unknown');
      if (isDuring(noticedAt, period) && bound === 'exact' && first !== undefined) {
        if (isKnownBefore(first)) took.push(first - openedAt);
        else toCallAtMost += 1;
      }
      const its = pieces(asked, overdueOf(rows, object, absence, period, alarmWithin));
      for (const { state, length } of its) sum[state] += length;
      const deadline = openedAt + alarmWithin;
      if (Math.max(noticedAt, deadline, period.from) >= end) continue;
      if (first !== undefined && first < deadline) overdue.inTime += 1;
      else if (!isKnownBefore(first === undefined ? end : deadline)) overdue.unknown += 1;
      else overdue[first === undefined ? 'never' : 'late'] += 1;
    }
  return {
    said: 'told',
    calledMs: sum.called,
    silentMs: sum.silent,
    unknownMs: sum.unknown,
    overdue,
    toCall: spreadOf(took),
    toCallAtMost,
    ...countCalls(rows, scope, period),
  };
}

function countCalls(rows: RecordRows, scope: Scope, period: Between) {
  const began = rows.calls.filter(({ from, cluster, names }) => {
    const ref = names !== null && cluster !== null ? { cluster, ...names } : null;
    const isOf = scope.kind
      ? ref !== null && ref.kind !== 'Deployment' && isIn(scope, ref)
      : (scope.clusters?.includes(cluster ?? '') ?? true);
    return isOf && isDuring(from, period);
  });
  const alerts = [...Map.groupBy(began, ({ source, alert }) => `${source} ${alert}`).values()]
    .map((of) => ({
      source: of[0]?.source ?? '',
      alert: of[0]?.alert ?? '',
      calls: of.length,
      lastAt: Math.max(...of.map(({ from }) => from)),
    }))
    .toSorted((a, b) => b.calls - a.calls || b.lastAt - a.lastAt);
  return {
    calls: began.length,
    withoutAbsence: began.filter((call) => isNeedless(rows, call, period.to)).length,
    alerts,
    alertsTotal: alerts.length,
  };
}
