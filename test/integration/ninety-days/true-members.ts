// Who was in an incident, and from when to when, read from the script of a past and nothing else: every plot says what each object failed
// by. Times in ms since the epoch; Infinity is what lasts.
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Cause } from '#lib/domain/verdict/judgement.ts';
import type { Blindness, Episode, ObjectPast, Script, Stage } from '#server/simulator/past/script.ts';
import type { Stretch } from './stretches.ts';
import { awayWords, brokeOf, endOf, isIn, nameOf, type TrueScope } from './truth.ts';

/** Words that make no incident by themselves. */
export const patient: ReadonlySet<Stage['verdict']> = new Set(['waiting', 'progressing']);
const lost: ReadonlySet<string> = new Set(['unreachable', 'unauthorized', 'misconfigured']);

/** One time of an object, or of a lost cluster, in an incident. */
export interface TrueMember {
  /** null of a cluster as a whole. */
  readonly ref: ObjectRef | null;
  readonly cluster: string;
  /** The absence, or the loss, that it is a time of. */
  readonly subject: string;
  readonly objects: number;
  readonly from: number;
  readonly bound: Stage['bound'];
  /** When its absence was known. */
  readonly noticedAt: number;
  readonly to: number;
  /** When it was known to be in it: several times, where it was well for a moment. */
  readonly known: readonly [Stretch, ...Stretch[]];
  readonly ended: 'converged' | 'seen' | 'suspended' | 'removed' | 'moved' | null;
  /** Its words meanwhile that say that it fails, in their order. */
  readonly said: readonly TrueWord[];
}

/** A word of a member, and what it blames. */
export interface TrueWord {
  readonly verdict: Stage['verdict'];
  readonly reason: string;
  readonly noticedAt: number;
  readonly blames: Cause;
  /** The revision that ran and the one that was tried, where it failed itself and is made from revisions. */
  readonly broke: readonly [ran: string | null, tried: string | null] | null;
  readonly seemsAlone: boolean;
}

/** Every member of every incident as it was known at a moment: nothing that was noticed later. */
export function membersOf(script: Script, at: number): readonly Caused[] {
  const times = script.objects.flatMap((past) => past.episodes.flatMap((episode) => timesOf(past, episode, at)));
  const losses = script.blindness.flatMap((blind) => lossOf(script, blind, at));
  const unplanned = [...times, ...losses].flatMap((time) => afterPlannedWork(script, time, at));
  const ofObject = Map.groupBy(unplanned, ({ subject }) => subject.slice(0, subject.indexOf(' at ')));
  return unplanned.flatMap((time) => joined(time, ofObject) ?? []);
}

/** True if a member is asked about: a lost cluster in scopes of whole clusters only. */
export function isMemberOf({ ref, cluster }: TrueMember, scope: TrueScope): boolean {
  return ref === null ? scope.kind === null && (scope.clusters?.includes(cluster) ?? true) : isIn(scope, ref);
}

/** A member, and what it fails by as far as that is known. */
export type Caused = TrueMember & { readonly cause: string };

function wordOf(past: ObjectPast, stage: Stage): TrueWord {
  const { verdict, reason, noticedAt, rootCause, seemsAlone } = stage;
  const blames: Cause = rootCause ?? { type: 'object', ref: past.object.ref };
  return { verdict, reason, noticedAt, blames, broke: brokeOf(past, stage), seemsAlone };
}

/** The cause as it is known by the last of an object's words: what seemed alone does so until a later word knows better. */
function causeAt(name: string, stages: readonly Stage[], { cause, seemsAlone, at }: Stage): string {
  const isRecognised = stages.some((one) => one.cause === cause && !one.seemsAlone);
  return seemsAlone && !isRecognised ? `${name} alone at ${at}` : (cause ?? '');
}

/** The times of one time away, one for each cause: it may be well for a moment, and turn out to fail by something else. */
function timesOf(past: ObjectPast, episode: Episode, at: number): readonly Caused[] {
  const { ref } = past.object;
  const [first] = episode.stages;
  const stages = episode.stages.filter(({ noticedAt }) => noticedAt <= at);
  const found: Caused[] = [];
  for (const stage of stages) {
    const last = found.at(-1);
    const open = last?.ended === null ? last : undefined;
    if (stage.verdict === 'converged' && open) found.splice(-1, 1, over(open, stage.noticedAt, 'converged'));
    // It is switched off on purpose from then on.
    if (stage.verdict === 'suspended' && open) found.splice(-1, 1, over(open, stage.at, 'suspended'));
    if (!awayWords.has(stage.verdict)) continue;
    const [cause, said] = [causeAt(nameOf(ref), stages, stage), wordOf(past, stage)];
    const since = { from: stage.noticedAt, to: Infinity };
    if (open?.cause === cause) {
      found.splice(-1, 1, { ...open, said: [...open.said, said] });
      continue;
    }
    if (open) found.splice(-1, 1, over(open, Math.max(open.from, stage.at), 'moved', stage.noticedAt));
    const subject = `${nameOf(ref)} at ${first.at}`;
    const times = { from: last ? stage.at : first.at, to: Infinity, ended: null, known: [since] } as const;
    const who = { ref, cluster: ref.cluster, subject, objects: 1, bound: first.bound };
    found.push({ ...who, noticedAt: found[0]?.noticedAt ?? stage.noticedAt, ...times, cause, said: [said] });
  }
  const end = endOf(past, episode);
  const last = found.at(-1);
  if (last?.ended === null && end <= at && end < Infinity)
    found.splice(-1, 1, over(last, end, end === episode.home?.noticedAt ? 'converged' : 'removed'));
  return found;
}

function over(time: Caused, to: number, ended: TrueMember['ended'], knownAt = to): Caused {
  const { known } = time;
  const last = known.at(-1) ?? known[0];
  const [first, ...others] = [...known.slice(0, -1), { from: last.from, to: knownAt }];
  return { ...time, to, ended, known: first ? [first, ...others] : known };
}

function since([first, ...others]: TrueMember['known'], at: number): TrueMember['known'] {
  return [{ ...first, from: Math.max(first.from, at) }, ...others];
}

/** A time that was noticed while work was planned on its cluster is in an incident once that is over, if it lasts. */
function afterPlannedWork({ planned }: Script, time: Caused, at: number): readonly Caused[] {
  const work = planned.find(
    ({ cluster, from, to }) => cluster === time.cluster && time.known[0].from >= from && time.known[0].from < to,
  );
  if (work === undefined) return [time];
  if (time.to <= work.to || work.to > at) return [];
  return [{ ...time, from: work.to, known: since(time.known, work.to) }];
}

/** True if a member is more than waiting. */
export function opens({ said }: TrueMember): boolean {
  return said.some(({ verdict }) => !patient.has(verdict));
}

/** An object that only waits is in the incident of what it waits for, from when both were known. */
function joined(time: Caused, ofObject: ReadonlyMap<string, readonly Caused[]>): Caused | null {
  if (opens(time)) return time;
  const blames = time.said[0]?.blames;
  const beneath = blames?.type === 'object' ? (ofObject.get(nameOf(blames.ref)) ?? []) : [];
  const opener = beneath.find(
    (one) => opens(one) && one.cause === time.cause && one.known[0].from < time.to && one.to > time.from,
  );
  return opener === undefined ? null : { ...time, known: since(time.known, opener.known[0].from) };
}

/** A cluster that is lost takes all of its objects with it. */
function lossOf({ objects }: Script, blind: Blindness, at: number): readonly Caused[] {
  const { cluster, kind, from, state, cause } = blind;
  if (kind !== null || from > at || !lost.has(state)) return [];
  const isThere = ({ object, spans }: ObjectPast): boolean =>
    object.ref.cluster === cluster && spans.some((one) => one.noticedAt <= from && (one.goneAt ?? Infinity) > from);
  const to = blind.to <= at ? blind.to : Infinity;
  const blames: Cause = { type: 'cluster', cluster };
  const said = {
    verdict: 'unobserved',
    reason: state,
    noticedAt: from,
    blames,
    broke: null,
    seemsAlone: false,
  } as const;
  return [
    {
      ref: null,
      cluster,
      subject: `${cluster} at ${from}`,
      objects: objects.filter(isThere).length,
      from,
      bound: 'exact',
      noticedAt: from,
      to,
      ended: to === Infinity ? null : 'seen',
      known: [{ from, to }],
      said: [said],
      cause,
    },
  ];
}
