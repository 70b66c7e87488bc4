// The lanes of the timelines and every row of their tables.
import { z } from 'zod';
import { isIn, objectsIn, sharesOf, total, type Scope } from './own-count.ts';
import type { ObjectRows, RecordRows } from './rows.ts';
import { knownOf, type Between, type Known } from './stretches.ts';
import { Moment, MomentOrNull } from './wire.ts';

const Row = z.object({
  from: Moment,
  to: Moment,
  state: z.string(),
  objects: z.number(),
  of: z.number(),
  steady: z.boolean(),
  reason: z.string().nullable(),
  commit: z.string().nullable(),
  onset: z.object({ time: Moment, bound: z.string() }).nullable(),
});
type Row = z.infer<typeof Row>;

const Lane = z.object({
  key: z.string(),
  note: z.string(),
  objects: z.number(),
  rows: z.array(Row),
  rowsTotal: z.number(),
  existed: z.number(),
  observed: z.number(),
  converged: z.number(),
});
type Lane = z.infer<typeof Lane>;

/** Answer of the timelines. `from` may be later than was asked. */
export const HistoryAnswer = z.object({
  from: Moment,
  recordedSince: MomentOrNull,
  by: z.string(),
  lanes: z.array(Lane).transform(byKey),
});

/** The worst comes first, what was not there at all last. */
const order = [
  ...['diverged', 'drifted', 'unhealthy', 'stale', 'unobserved', 'suspended', 'behind', 'waiting'],
  ...['progressing', 'unconfirmed', 'converged', 'absent', 'not-recorded'],
];
const nobody: ReadonlySet<string> = new Set(['absent', 'not-recorded']);

function byKey(lanes: readonly Lane[]): readonly Lane[] {
  return lanes.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

/** The next piece is one with the last: the same span seen on, or one time in which nobody looked. */
function goesOn(last: Known, next: Known): boolean {
  if (last.to !== next.from || last.blind !== next.blind) return false;
  return next.blind !== null || last.span === next.span;
}

function rowOf({ from, to, state, span, blind }: Known): Row {
  const common = { from, to, state, objects: 1, of: 1, steady: true };
  if (blind !== null) return { ...common, reason: blind, commit: null, onset: null };
  const { reason, commit, bound, onsetAt } = span;
  const onset = bound === 'at-least' || onsetAt < span.from ? { time: onsetAt, bound } : null;
  return { ...common, reason: reason === '' ? null : reason, commit, onset };
}

/** One object over a period without holes: what was known of it, absent between its removal and its next birth, before the record nothing. */
function rowsOfOne(object: ObjectRows, rows: RecordRows, period: Between): readonly Row[] {
  const pieces: Known[] = [];
  for (const next of knownOf(object, rows, period)) {
    const last = pieces.at(-1);
    if (last !== undefined && goesOn(last, next)) pieces[pieces.length - 1] = { ...last, to: next.to };
    else pieces.push(next);
  }
  const begun = Math.min(
    ...(rows.coverage.get(object.ref.cluster) ?? []).map(({ at }) => at),
    pieces[0]?.from ?? Infinity,
  );
  const found: Row[] = [];
  const blank = (from: number, to: number, state: string): void => {
    if (from >= to) return;
    found.push({ from, to, state, objects: 0, of: 0, steady: true, reason: null, commit: null, onset: null });
  };
  let at = period.from;
  for (const { from, to, row } of [
    ...pieces.map((piece) => ({ ...piece, row: rowOf(piece) })),
    { from: period.to, to: period.to, row: null },
  ]) {
    blank(at, Math.min(from, begun), 'not-recorded');
    blank(Math.max(at, begun), from, 'absent');
    if (row !== null) found.push(row);
    at = to;
  }
  return found;
}

/** Number of objects in each state at every moment at which that changes, in the order of time. */
function countsOf(lanes: readonly (readonly Row[])[]): readonly (readonly [number, ReadonlyMap<string, number>])[] {
  const turns = lanes.flat().flatMap(({ from, to, state }) => [
    { at: from, state, by: 1 },
    { at: to, state, by: -1 },
  ]);
  const counts = new Map<string, number>();
  return [...Map.groupBy(turns, ({ at }) => at)]
    .toSorted(([a], [b]) => a - b)
    .map(([at, changed]) => {
      for (const { state, by } of changed) counts.set(state, (counts.get(state) ?? 0) + by);
      return [at, new Map(counts)] as const;
    });
}

/** Several objects over a period: the worst state from one change of it to the next, with the most that were in it at once. */
function rowsOfMany(lanes: readonly (readonly Row[])[]): readonly Row[] {
  const moments = countsOf(lanes);
  const found: Row[] = [];
  for (const [index, [from, counts]] of moments.entries()) {
    const to = moments[index + 1]?.[0];
    if (to === undefined) break;
    const state = order.find((word) => (counts.get(word) ?? 0) > 0) ?? 'absent';
    const objects = nobody.has(state) ? 0 : (counts.get(state) ?? 0);
    const of = [...counts].reduce((sum, [word, count]) => sum + (nobody.has(word) ? 0 : count), 0);
    const last = found.at(-1);
    const detail = { reason: null, commit: null, onset: null };
    if (last?.state !== state) found.push({ from, to, state, objects, of, steady: true, ...detail });
    else {
      const steady = last.steady && last.objects === objects && last.of === of;
      const most = objects > last.objects ? { objects, of } : { objects: last.objects, of: last.of };
      found[found.length - 1] = { ...last, ...most, to, steady };
    }
  }
  return found;
}

interface LaneScope {
  readonly key: string;
  readonly scope: Scope;
  readonly by: 'object' | 'kind' | 'cluster';
}

/** The lanes that a scope comes to: its clusters; of one cluster its kinds; of one kind there its objects. */
function lanesIn(rows: RecordRows, scope: Scope): readonly LaneScope[] {
  if (scope.clusters?.length !== 1) {
    const clusters = scope.clusters ?? [...rows.coverage.keys()];
    return clusters.map((name) => ({ key: name, scope: { ...scope, clusters: [name] }, by: 'cluster' }));
  }
  const lanes = new Map<string, LaneScope>();
  for (const { ref } of rows.objects) {
    const { group, kind, namespace, name } = ref;
    if (!isIn(scope, ref)) continue;
    const whole = { ...scope, kind: { group, kind } };
    const ofKind = { key: `${group}/${kind}`, scope: whole, by: 'kind' } as const;
    const ofObject = {
      key: `${ofKind.key}/${namespace}/${name}`,
      scope: { ...whole, namespace, name },
      by: 'object',
    } as const;
    const lane = scope.kind ? ofObject : ofKind;
    lanes.set(lane.key, lane);
  }
  return [...lanes.values()];
}

/** Every lane of a scope with all of its rows; of what was not there at any time none. */
export function countLanes(rows: RecordRows, scope: Scope, period: Between): readonly Lane[] {
  const lanes = lanesIn(rows, scope).flatMap(({ key, scope: own, by }): Lane[] => {
    const there = objectsIn(rows, own).filter((object) => knownOf(object, rows, period).length > 0);
    const [first] = there;
    if (first === undefined) return [];
    const shares = sharesOf(there.flatMap((object) => knownOf(object, rows, period)));
    const each = there.map((object) => rowsOfOne(object, rows, period));
    const alone = by === 'object' || (by === 'cluster' && there.length === 1);
    const rowsOfLane = alone ? each.flat() : rowsOfMany(each);
    const { kind, namespace, name } = first.ref;
    const many = `${there.length} object${there.length === 1 ? '' : 's'}`;
    const place = namespace === '' ? kind : `${kind} in ${namespace}`;
    return [
      {
        key,
        note: by === 'object' ? place : alone ? name : many,
        objects: there.length,
        rows: [...rowsOfLane],
        rowsTotal: rowsOfLane.length,
        existed: total(shares),
        observed: total(shares) - (shares.get('unobserved') ?? 0),
        converged: shares.get('converged') ?? 0,
      },
    ];
  });
  return byKey(lanes);
}

/** The lines of the file of some lanes of a scope, in no order; `notRead` where the file begins later than was asked. */
export function historyLines(
  scope: Scope,
  lanes: readonly Lane[],
  notRead: Between | null,
): readonly Readonly<Record<string, string>>[] {
  const time = (at: number): string => new Date(at).toISOString();
  const [only, ...more] = scope.clusters ?? [];
  return lanes.flatMap(({ key, rows }) => {
    const [cluster, lane] = only === undefined || more.length > 0 ? [key, ''] : [only, key];
    const span = ({ from, to }: Between): Readonly<Record<string, string>> => ({
      from: time(from),
      to: time(to),
      milliseconds: String(to - from),
    });
    const nothing = { objects: '', of: '', steady: '', reason: '', commit: '', onset: '', bound: '' };
    const missing = notRead === null ? [] : [{ cluster, lane, state: 'not-read', ...span(notRead), ...nothing }];
    const read = rows.map(({ from, to, state, objects, of, steady, reason, commit, onset }) => ({
      cluster,
      lane,
      state,
      ...span({ from, to }),
      objects: String(objects),
      of: String(of),
      steady: String(steady),
      reason: reason ?? '',
      commit: commit ?? '',
      onset: onset === null ? '' : time(onset.time),
      bound: onset?.bound ?? '',
    }));
    return [...missing, ...read];
  });
}
