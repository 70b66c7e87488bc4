import type { CurrentCluster, CurrentFeed } from '#lib/domain/record/current.ts';
import { cutKinds } from '#lib/domain/alarm/alarming/bounds.ts';
import { isHiding } from '../cache/hidden-kinds.ts';
import type { KnownCluster } from '../cache/known-cluster.ts';
import { isClockOff } from '#lib/domain/time/clock-skew.ts';
import { clockLabel, formatDuration, least } from '#lib/format/duration.ts';

const words: { readonly [state in Exclude<KnownCluster['known']['state'], 'live' | 'declared'>]: string } = {
  connecting: 'is being connected',
  unreachable: 'unreachable',
  unauthorized: 'refuses the credentials',
  misconfigured: 'misconfigured',
  unobserved: 'not observed',
};
const NAMED = 5;

/** Names what cannot be seen now, in words: clusters first, then kinds. [] where everything is seen. */
export function partialTexts(
  clusters: readonly KnownCluster[],
  recordOf: (name: string) => CurrentCluster | null,
  now: number,
): readonly string[] {
  return [
    ...clusterTexts(clusters, now),
    ...clockTexts(clusters, recordOf),
    ...feedTexts(clusters),
    ...cutTexts(clusters),
  ];
}

function clusterTexts(clusters: readonly KnownCluster[], now: number): readonly string[] {
  return [...Map.groupBy(clusters, ({ known }) => known.state)].flatMap(([state, found]) => {
    if (state === 'live' || state === 'declared') return [];
    if (found.length > NAMED)
      return [`${found.length} clusters ${state === 'connecting' ? 'are being connected' : words[state]}`];
    return found.map((cluster) => `${cluster.name} ${words[state]}${lasting(cluster.known, now)}`);
  });
}

/** Clocks that are off, which are allowed for: what their controllers date by yet another clock is not. */
function clockTexts(
  clusters: readonly KnownCluster[],
  recordOf: (name: string) => CurrentCluster | null,
): readonly string[] {
  const found = clusters.flatMap(({ name, known }) => {
    const ahead = known.state === 'live' ? (recordOf(name)?.clockAhead ?? null) : null;
    return isClockOff(ahead) ? [{ name, ahead }] : [];
  });
  if (found.length > NAMED) return [`the clocks of ${found.length} clusters are off`];
  return found.map(({ name, ahead }) => `the clock of ${name} is ${clockLabel(ahead)} Plumbline's`);
}

/** Whole minutes only: a text that counts seconds would make every summary another one each second. */
function lasting(known: KnownCluster['known'], now: number): string {
  const ms = now - known.since;
  return ms < 60_000 ? '' : ` for ${least(known)}${formatDuration(ms)}`;
}

interface Blind {
  readonly kind: string;
  readonly state: CurrentFeed['state'];
  readonly clusters: string[];
  readonly reasons: Set<string>;
}

/** An API server's refusal as the rule that is missing: 'User "x" cannot list resource "y" ...'; everything else in one short line. */
function shortReason(reason: string): string {
  const verb = /cannot (list|watch|get) resource/.exec(reason)?.[1];
  if (verb !== undefined) return `missing rule: ${verb}`;
  return reason.length > 80 ? `${reason.slice(0, 79)}…` : reason;
}

function feedTexts(clusters: readonly KnownCluster[]): readonly string[] {
  const blind = new Map<string, Blind>();
  for (const cluster of clusters) {
    if (cluster.known.state !== 'live') continue;
    for (const feed of cluster.feeds) {
      if (!isHiding(feed)) continue;
      const key = JSON.stringify([feed.state, feed.group, feed.kind]);
      const found = blind.get(key) ?? { kind: feed.kind, state: feed.state, clusters: [], reasons: new Set() };
      blind.set(key, found);
      found.clusters.push(cluster.name);
      if (feed.reason !== null) found.reasons.add(feed.reason);
    }
  }
  return [...blind.values()].map(({ kind, state, clusters: where, reasons }) => {
    const named = where.length === 1 ? where.join() : `${where.length} clusters`;
    const [reason] = reasons;
    const why = reasons.size === 1 && reason !== undefined ? ` (${shortReason(reason)})` : '';
    return `${kind} ${state === 'syncing' ? 'is being read' : state} on ${named}${why}`;
  });
}

/** Kinds that say who is called, of which more are there than are kept. */
function cutTexts(clusters: readonly KnownCluster[]): readonly string[] {
  const found = clusters.flatMap(({ name, alarming }) => cutKinds(alarming).map((kind) => ({ name, kind })));
  return [...Map.groupBy(found, ({ kind }) => kind)].map(
    ([kind, of]) => `${kind} not read whole on ${of.length === 1 ? (of[0]?.name ?? '') : `${of.length} clusters`}`,
  );
}
