// Who was called in a past that is made up: by which rules, how soon, and when that could not be known. Times and durations in ms.
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { day, hour, minute } from '#lib/domain/time/length.ts';
import { isAwayWord, type TrueSummary } from '../truth.ts';
import type { Random } from '../random.ts';
import { callsFor, callWith, callWithoutOutage, mannerOf, type Caller, type Outage } from './alarm-calls.ts';
import { chancesIn, lasting, momentsIn } from './calendar.ts';
import { asKnown } from './known-calls.ts';
import type { CallPast, Episode, ObjectPast, SourcePast } from './script.ts';

/** A past before anybody is called in it. */
interface Happened {
  readonly from: number;
  readonly to: number;
  readonly clusters: readonly string[];
  readonly objects: readonly ObjectPast[];
  readonly random: Random;
  readonly isSilentNow: SilentNow;
}

/** True of what is away as the past ends, by its verdict, where the present that follows calls nobody for it. */
export type SilentNow = (ref: ObjectRef, verdict: TrueSummary) => boolean;

const source = 'monitoring';
const address = 'https://alertmanager.acme.example';
/** It came so long after the record began. */
const cameAfter = 9 * day;
/** The cluster with a monitoring of its own, which nobody could ever read. */
const readAlone = 'stg-ap';

function caller(alert: string, receiver = 'oncall'): Caller {
  return { source, address, alert, receiver };
}

/** The rule that reads an object by itself; null for none. stg-edge came later, and nobody thought of it. */
function callerFor({ cluster, kind }: ObjectRef): Caller | null {
  if (kind !== 'Kustomization' && kind !== 'HelmRelease') return null;
  if (/^(?:eu|us)-/.test(cluster)) return caller('FluxObjectNotReady');
  if (/^(?:sbx-.+|stg-(?:eu|us))$/.test(cluster)) return caller('FluxObjectNotReadyStaging', 'platform-channel');
  return cluster.startsWith('ap-') ? caller('FluxReconciliationFailed') : null;
}

/** One time away, as the script knows it. */
interface Away {
  readonly outage: Outage;
  readonly episode: Episode;
}

function awayOf({ object, spans, episodes }: ObjectPast): readonly Away[] {
  return episodes.flatMap((episode) => {
    const first = episode.stages.find(({ verdict }) => isAwayWord(verdict));
    if (first === undefined) return [];
    const span = spans.find((one) => first.noticedAt >= one.noticedAt && first.noticedAt < (one.goneAt ?? Infinity));
    const to = episode.home?.at ?? span?.goneAt ?? null;
    return [{ outage: { ref: object.ref, from: first.at, to }, episode }];
  });
}

/** Cause that an episode has in common with others, with its own name. */
function sharedCause({ stages }: Episode, type: 'controller' | 'shared-error'): string | null {
  return stages.find(({ rootCause }) => rootCause?.type === type)?.cause ?? null;
}

function lengthOf(all: readonly Away[]): Pick<Outage, 'from' | 'to'> {
  const ends = all.map(({ outage }) => outage.to);
  return {
    from: Math.min(...all.map(({ outage }) => outage.from)),
    to: ends.includes(null) ? null : Math.max(...ends.map((end) => end ?? 0)),
  };
}

/** A controller that stands still is one call, and holds back the calls for what it leaves behind; by chance nobody thought of that. */
function controllerCalls(
  all: readonly Away[],
  random: Random,
): { readonly calls: readonly CallPast[]; readonly held: ReadonlySet<Away> } {
  const calls: CallPast[] = [];
  const held = new Set<Away>();
  const byCause = Map.groupBy(all, ({ episode }) => sharedCause(episode, 'controller'));
  for (const [cause, of] of byCause) {
    const root = of[0]?.episode.stages.find(({ rootCause }) => rootCause?.type === 'controller')?.rootCause;
    if (cause === null || root?.type !== 'controller' || random.next() > 0.6) continue;
    const { cluster, namespace, name } = root;
    if (callerFor({ cluster, group: '', kind: 'Kustomization', namespace, name }) === null) continue;
    const { from, to } = lengthOf(of);
    const startsAt = from + random.between(3, 25) * minute;
    if (to !== null && startsAt >= to) continue;
    const labels = { alertname: 'FluxControllerNotAvailable', cluster, namespace, deployment: name, severity: 'page' };
    calls.push({
      names: { cluster, group: 'apps', kind: 'Deployment', namespace, name },
      call: callWith(caller('FluxControllerNotAvailable'), { cluster, labels }, startsAt, to),
    });
    for (const one of of) held.add(one);
  }
  return { calls, held };
}

/** Many resources of a cloud that fail at once are one call, which names none of them. */
const many = 4;

function cloudCalls(all: readonly Away[], random: Random): readonly CallPast[] {
  const byCause = Map.groupBy(all, ({ episode }) => sharedCause(episode, 'shared-error'));
  return [...byCause].flatMap(([cause, of]): CallPast[] => {
    const cluster = of[0]?.outage.ref.cluster ?? '';
    if (cause === null || of.length < many || random.next() > 0.7) return [];
    const { from, to } = lengthOf(of);
    const startsAt = from + random.between(1, 12) * minute;
    if (to !== null && startsAt >= to) return [];
    const labels = { alertname: 'CrossplaneManyNotSynced', cluster, severity: 'page' };
    return [{ names: null, call: callWith(caller('CrossplaneManyNotSynced'), { cluster, labels }, startsAt, to) }];
  });
}

/** The past of what the present begins with says the same of who is called as the present. */
function isSilent({ outage: { ref, to }, episode: { stages } }: Away, isSilentNow: SilentNow): boolean {
  const word = stages.at(-1)?.verdict;
  return to === null && word !== undefined && isSilentNow(ref, word);
}

function ownCalls(all: readonly Away[], isSilentNow: SilentNow, random: Random): readonly CallPast[] {
  return all.flatMap((away) => {
    const { outage } = away;
    const manner = mannerOf(random);
    const own = callerFor(outage.ref);
    return own === null || isSilent(away, isSilentNow)
      ? []
      : callsFor(own, outage, manner).map((call) => ({ names: outage.ref, call }));
  });
}

/** Nothing was the matter with an object for so long before and after a call without an outage. */
const calm = hour;

function needlessCalls({ objects, ...past }: Happened): readonly CallPast[] {
  return [...chancesIn(past, 0.6, objects)].flatMap(([at, { object, spans, episodes }]) => {
    const own = callerFor(object.ref);
    const length = past.random.between(6, 40) * minute;
    const there = spans.some(
      ({ noticedAt, goneAt }) => noticedAt < at - calm && (goneAt ?? Infinity) > at + length + calm,
    );
    const busy = episodes.some(
      ({ stages: [first], home }) => first.at < at + length + calm && (home?.noticedAt ?? Infinity) > at - calm,
    );
    if (own === null || !there || busy) return [];
    return [{ names: object.ref, call: callWithoutOutage(own, object.ref, at, length) }];
  });
}

/** When nobody could read the source: an upgrade of the monitoring, a proxy, a token that ran out. */
function unreadTimes({ random, ...past }: Happened): SourcePast['unread'] {
  const unread: { readonly from: number; readonly to: number }[] = [];
  const since = past.from + cameAfter;
  for (const from of momentsIn({ from: since + hour, to: past.to - 6 * hour, random }, 0.16)) {
    const to = from + lasting(50 * minute, 9 * hour, random);
    if (to < past.to - hour && from > (unread.at(-1)?.to ?? since) + hour) unread.push({ from, to });
  }
  return unread;
}

/** The one alarm source of a fleet over a past: before it came nobody knows who was called. */
export function planAlarms(past: Happened): readonly SourcePast[] {
  const fork = (name: string): Random => past.random.fork(name);
  const all = past.objects.flatMap(awayOf);
  const { calls, held } = controllerCalls(all, fork('controllers'));
  const made = [
    ...calls,
    ...cloudCalls(all, fork('clouds')),
    ...ownCalls(
      all.filter((one) => !held.has(one)),
      past.isSilentNow,
      fork('own'),
    ),
    ...needlessCalls({ ...past, random: fork('needless') }),
  ];
  const times = { since: past.from + cameAfter, unread: unreadTimes({ ...past, random: fork('unread') }), to: past.to };
  const spoken = new Set(past.clusters.filter((cluster) => cluster !== readAlone));
  return [
    {
      name: source,
      clusters: [...spoken],
      since: times.since,
      unread: times.unread,
      calls: asKnown(
        made.filter(({ call }) => call.cluster !== null && spoken.has(call.cluster)),
        times,
      ),
    },
  ];
}
