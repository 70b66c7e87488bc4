// What a report must say, computed from the script of a past and nothing else: not from transitions, nor by any code of the record,
// of the report or of the judge.
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Blindness, Episode, Span, ObjectPast, Script, Stage } from '#server/simulator/past/script.ts';
import { lengthOf, within, without, type Stretch } from './stretches.ts';

/** Worst first, as docs/design/verdicts.md lists them. */
export const words = [
  'diverged',
  'drifted',
  'unhealthy',
  'stale',
  'unobserved',
  'suspended',
  'behind',
  'waiting',
  'progressing',
  'unconfirmed',
  'converged',
] as const;
type Word = (typeof words)[number];
export const awayWords: ReadonlySet<Word> = new Set([
  'diverged',
  'drifted',
  'unhealthy',
  'stale',
  'behind',
  'waiting',
  'progressing',
]);

/** Which objects are asked about; null for all. */
export interface TrueScope {
  readonly clusters: readonly string[] | null;
  readonly kind: { readonly group: string; readonly kind: string } | null;
}

export type TrueShares = Record<Word, number>;

/** One word of an object for as long as it was known to be so. */
export interface KnownStretch extends Stretch {
  readonly stage: Stage;
}

/** One time away from git. */
export interface TrueAbsence {
  readonly ref: ObjectRef;
  readonly openedAt: number;
  readonly bound: Stage['bound'];
  readonly noticedAt: number;
  /** Infinity while it lasts. */
  readonly closedAt: number;
  readonly ended: 'converged' | 'removed' | null;
  readonly worst: Stage;
  readonly first: Stage;
  /** The revision that ran and the one that was tried when it first failed itself; null where it did not, or is no applier. */
  readonly broke: readonly [ran: string | null, tried: string | null] | null;
  /** The away words of it, for as long as each was known. */
  readonly away: readonly KnownStretch[];
}

function noShares(): TrueShares {
  return {
    diverged: 0,
    drifted: 0,
    unhealthy: 0,
    stale: 0,
    unobserved: 0,
    suspended: 0,
    behind: 0,
    waiting: 0,
    progressing: 0,
    unconfirmed: 0,
    converged: 0,
  };
}

/** The least value that so many of 100 do not exceed; null of none. */
export function leastOf(ascendingly: readonly number[], percent: number): number | null {
  return ascendingly.find((_each, index) => (index + 1) * 100 >= percent * ascendingly.length) ?? null;
}

export function nameOf({ cluster, group, kind, namespace, name }: ObjectRef): string {
  return [cluster, group, kind, namespace, name].join('/');
}

/** True if an object is asked about. */
export function isIn({ clusters, kind }: TrueScope, ref: ObjectRef): boolean {
  if (clusters !== null && !clusters.includes(ref.cluster)) return false;
  return kind === null || (kind.group === ref.group && kind.kind === ref.kind);
}

export function objectsIn(script: Script, scope: TrueScope): readonly ObjectPast[] {
  return script.objects.filter(({ object }) => isIn(scope, object.ref));
}

export function spanOf({ noticedAt, goneAt }: Span): Stretch {
  return { from: noticedAt, to: goneAt ?? Infinity };
}

const blindness = new WeakMap<Script, Map<string, readonly Blindness[]>>();

/** The times in which an object could not be seen. */
export function blindTo(
  script: Script,
  { cluster, group, kind }: Pick<ObjectRef, 'cluster' | 'group' | 'kind'>,
): readonly Blindness[] {
  const known = blindness.get(script) ?? new Map<string, readonly Blindness[]>();
  blindness.set(script, known);
  const name = [cluster, group, kind].join('/');
  const found =
    known.get(name) ??
    script.blindness.filter(
      (one) => one.cluster === cluster && (one.kind === null || (one.kind.kind === kind && one.kind.group === group)),
    );
  known.set(name, found);
  return found;
}

/** When a time of an object in which it was not well was over; Infinity while it lasts. */
export function endOf(past: ObjectPast, { stages: [first], home }: Episode): number {
  const span = past.spans.find((one) => first.noticedAt >= one.noticedAt && first.noticedAt < (one.goneAt ?? Infinity));
  return Math.min(home?.noticedAt ?? Infinity, span?.goneAt ?? Infinity);
}

function stagesOf(past: ObjectPast, episode: Episode): readonly KnownStretch[] {
  return episode.stages
    .map((stage, index) => ({
      stage,
      from: stage.noticedAt,
      to: Math.min(episode.stages[index + 1]?.noticedAt ?? Infinity, endOf(past, episode)),
    }))
    .filter(({ stage }) => stage.verdict !== 'converged');
}

const knownText = new WeakMap<ObjectPast, readonly KnownStretch[]>();

/** The words of an object other than that it was well. */
export function knownOf(past: ObjectPast): readonly KnownStretch[] {
  const known = knownText.get(past) ?? past.episodes.flatMap((episode) => stagesOf(past, episode));
  knownText.set(past, known);
  return known;
}

/** Object time by word; what is left of an object's time after all that was the matter with it is taken away was well. */
export function sharesOf(script: Script, objects: readonly ObjectPast[], period: Stretch): TrueShares {
  const sum = noShares();
  for (const past of objects) {
    const there = past.spans.flatMap((span) => within(spanOf(span), period) ?? []);
    if (there.length === 0) continue;
    const seen = without(there, blindTo(script, past.object.ref));
    let rest = lengthOf(seen);
    sum.unobserved += lengthOf(there) - rest;
    for (const known of knownOf(past)) {
      if (known.from >= period.to || known.to <= period.from) continue;
      const time = lengthOf(seen.flatMap((piece) => within(piece, known) ?? []));
      sum[known.stage.verdict] += time;
      rest -= time;
    }
    sum.converged += rest;
  }
  return sum;
}

/** Share of it away from git. */
export function awayOf(shares: TrueShares): number {
  return [...awayWords].reduce((sum, word) => sum + shares[word], 0);
}

/** Number of objects that were there at some time. */
export function countOf(objects: readonly ObjectPast[], period: Stretch): number {
  return objects.filter(({ spans }) => spans.some((span) => within(spanOf(span), period) !== null)).length;
}

function rank(stage: Stage): number {
  return words.indexOf(stage.verdict);
}

/** Who fails without trying anything new fails at what runs; null where neither is known. */
function brokeAt({ object }: ObjectPast, { commit, attempted }: Stage): readonly [string | null, string | null] | null {
  const fromGit = object.source?.kind === 'GitRepository' && object.commit !== null;
  const ran = fromGit ? commit && `main@sha1:${commit}` : object.revision;
  return ran === null && attempted === null ? null : [ran, attempted ?? ran];
}

/** The revision that ran and the one that was tried at a word of an object that fails itself, if it is made from revisions. */
export function brokeOf(past: ObjectPast, stage: Stage): ReturnType<typeof brokeAt> {
  const { verdict, rootCause } = stage;
  const fails = (verdict === 'diverged' || verdict === 'unhealthy') && rootCause === null;
  return past.object.role === 'applier' && fails ? brokeAt(past, stage) : null;
}

/** Every time away of these objects. */
export function absencesOf(objects: readonly ObjectPast[]): readonly TrueAbsence[] {
  return objects.flatMap((past) =>
    past.episodes.flatMap((episode): TrueAbsence[] => {
      const bad = episode.stages.filter(({ verdict }) => awayWords.has(verdict));
      const [first] = bad;
      if (!first) return [];
      const worst = bad.reduce((before, stage) => (rank(stage) < rank(before) ? stage : before));
      const closedAt = endOf(past, episode);
      return [
        {
          ref: past.object.ref,
          openedAt: episode.stages[0].at,
          bound: episode.stages[0].bound,
          noticedAt: first.noticedAt,
          closedAt,
          ended: closedAt === Infinity ? null : closedAt === episode.home?.noticedAt ? 'converged' : 'removed',
          worst,
          first,
          broke: bad.map((stage) => brokeOf(past, stage)).find((broke) => broke !== null) ?? null,
          away: stagesOf(past, episode).filter(({ stage }) => awayWords.has(stage.verdict)),
        },
      ];
    }),
  );
}

/** The least value that half, or 95 of 100, do not exceed. */
export function spread(list: readonly number[]): { count: number; medianMs: number | null; p95Ms: number | null } {
  const sorted = list.toSorted((a, b) => a - b);
  return { count: sorted.length, medianMs: leastOf(sorted, 50), p95Ms: leastOf(sorted, 95) };
}

type Lasted = Pick<TrueAbsence, 'openedAt' | 'closedAt' | 'bound'>;

/** The same of how long absences or incidents lasted, and whether it would be more had those lasted for ever of which only the least is known. */
export function lengthsOf(
  absences: readonly Lasted[],
): ReturnType<typeof spread> & { medianAtLeast: boolean; p95AtLeast: boolean } {
  const length = (one: Lasted): number => one.closedAt - one.openedAt;
  const known = spread(absences.map(length));
  const most = spread(absences.map((one) => (one.bound === 'at-least' ? Infinity : length(one))));
  return { ...known, medianAtLeast: most.medianMs !== known.medianMs, p95AtLeast: most.p95Ms !== known.p95Ms };
}

/** True if a moment is in a period. */
export function isDuring(at: number, { from, to }: Stretch): boolean {
  return at >= from && at < to;
}

/** Time that each absence that converged in a period had lasted (ms). */
export function convergedIn(absences: readonly TrueAbsence[], period: Stretch): readonly number[] {
  return absences
    .filter(({ ended, closedAt }) => ended === 'converged' && isDuring(closedAt, period))
    .map(({ openedAt, closedAt }) => closedAt - openedAt);
}

/** From a commit's being offered on a cluster to the last applier's landing there in the period, and how many were offered before the record. */
function arrivalsOf(script: Script, { clusters }: TrueScope, period: Stretch): { times: number[]; unknown: number } {
  const offered = new Map<string, number>();
  for (const { cluster, fact, at } of script.changes)
    if (fact.type === 'revision') offered.set(`${cluster} ${fact.to?.replace('main@sha1:', '')}`, at);
  const last = new Map<string, number>();
  for (const { object, spans, landings } of script.objects) {
    if (clusters !== null && !clusters.includes(object.ref.cluster)) continue;
    for (const { commit, at } of landings) {
      const key = `${object.ref.cluster} ${commit}`;
      if (at > (spans[0]?.noticedAt ?? Infinity)) last.set(key, Math.max(at, last.get(key) ?? 0));
    }
  }
  const times: number[] = [];
  let unknown = 0;
  for (const [key, at] of last) {
    if (!isDuring(at, period)) continue;
    const from = offered.get(key);
    if (from === undefined) unknown += 1;
    else times.push(at - from);
  }
  return { times, unknown };
}

/** All corrections of these objects in a period. */
export function correctionsOf(objects: readonly ObjectPast[], period: Stretch) {
  const counts = { confirmed: 0, probable: 0, contested: 0 };
  for (const { corrections } of objects)
    for (const { at, certainty, count } of corrections) if (isDuring(at, period)) counts[certainty] += count;
  return counts;
}

/** Times of an absence in which an alarm should have sounded, and the object was seen to be away. */
export function overdueTimes(
  script: Script,
  { ref, openedAt, noticedAt, away }: TrueAbsence,
  period: Stretch,
  alarmWithin: number,
): readonly Stretch[] {
  const late = { from: Math.max(period.from, openedAt + alarmWithin, noticedAt), to: period.to };
  return without(
    away.flatMap((one) => within(one, late) ?? []),
    blindTo(script, ref),
  );
}

/** The figures of one period, as the report has to have them. */
export function figuresOf(script: Script, scope: TrueScope, period: Stretch, alarmWithin: number) {
  const objects = objectsIn(script, scope);
  const shares = sharesOf(script, objects, period);
  const existed = Object.values(shares).reduce((sum, each) => sum + each, 0);
  const observed = existed - shares.unobserved;
  const absences = absencesOf(objects);
  const opened = absences.filter(({ noticedAt }) => isDuring(noticedAt, period));
  const closed = absences.filter(({ ended, closedAt }) => ended === 'converged' && isDuring(closedAt, period));
  const arrivals = arrivalsOf(script, scope, period);
  const changes = script.changes.filter(({ ref, at }) => ref !== null && isIn(scope, ref) && isDuring(at, period));
  const many = (type: string): number => changes.filter(({ fact }) => fact.type === type).length;
  return {
    objects: countOf(objects, period),
    declared: 0,
    shares,
    existedMs: existed,
    observedMs: observed,
    convergedMs: shares.converged,
    awayMs: awayOf(shares),
    suspendedMs: shares.suspended,
    unconfirmedMs: shares.unconfirmed,
    convergedShare: observed === 0 ? null : shares.converged / observed,
    observedShare: existed === 0 ? null : observed / existed,
    absences: {
      opened: opened.length,
      openAtStart: absences.filter(({ noticedAt, closedAt }) => noticedAt < period.from && closedAt >= period.from)
        .length,
      closed: closed.length,
      closedFromBefore: closed.filter(({ noticedAt }) => noticedAt < period.from).length,
      gone: absences.filter(({ ended, closedAt }) => ended === 'removed' && isDuring(closedAt, period)).length,
      open: absences.filter(({ noticedAt, closedAt }) => noticedAt < period.to && closedAt >= period.to).length,
      toNotice: spread(opened.filter(({ bound }) => bound === 'exact').map((one) => one.noticedAt - one.openedAt)),
      toConverge: lengthsOf(closed),
      toConvergeAtLeast: closed.filter(({ bound }) => bound === 'at-least').length,
    },
    overdueMs: lengthOf(absences.flatMap((absence) => overdueTimes(script, absence, period, alarmWithin))),
    arrivals: { ...spread(arrivals.times), unknown: arrivals.unknown, notKnownOn: [] },
    corrections: correctionsOf(objects, period),
    changes: {
      exemptionsOpened: many('exemption-added'),
      exemptionsClosed: many('exemption-removed'),
      suspended: many('suspended'),
      resumed: many('resumed'),
    },
  };
}

/** One time in which an object was switched off. */
export interface TrueSuspension {
  readonly ref: ObjectRef;
  readonly by: string | null;
  readonly from: number;
  /** null where it lasted beyond the period. */
  readonly to: number | null;
  readonly observedMs: number;
}

/** Who switched what off in a period, and for how long that was seen. */
export function suspensionsOf(script: Script, scope: TrueScope, period: Stretch): readonly TrueSuspension[] {
  return objectsIn(script, scope).flatMap((past) =>
    knownOf(past).flatMap((known): TrueSuspension[] => {
      const inside = within(known, period);
      if (known.stage.verdict !== 'suspended' || inside === null) return [];
      const { ref } = past.object;
      const change = script.changes.find(
        ({ ref: of, at, fact }) =>
          of !== null && nameOf(of) === nameOf(ref) && at === known.stage.at && fact.type === 'suspended',
      );
      const by = change?.fact.type === 'suspended' ? change.fact.by : null;
      const to = known.to >= period.to ? null : known.to;
      return [{ ref, by, from: known.from, to, observedMs: lengthOf(without([inside], blindTo(script, ref))) }];
    }),
  );
}
