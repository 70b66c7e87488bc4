import type { WireClusterPage } from '#lib/api/cluster.ts';
import { cellCodes, type WireFleet, type WireRow } from '#lib/api/fleet.ts';
import type { WireAlarm, WireObject, WireObjectList, WireObjectPage } from '#lib/api/object.ts';
import {
  failingCheckout,
  silentChain,
  soundingChain,
  wireClusterPage,
  wireFeed,
  wireList,
  wireAlarm,
  wireObject,
  wireObjectPage,
  wireTransition,
} from '#components/testing/wire-object.ts';
import { minutesAgo } from '#components/testing/wire-fleet.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { verdictRank, verdicts, type Verdict } from '#lib/domain/verdict/verdict.ts';

const verdictOf = new Map<string, Verdict>(verdicts.map((verdict) => [cellCodes[verdict], verdict]));

function alarmOf(state: WireAlarm['state']): WireAlarm {
  switch (state) {
    case 'silent':
      return silentChain().alarm;
    case 'sounding':
      return soundingChain().alarm;
    case 'pending':
      return wireAlarm({ state, broken: 'hold' });
    case 'unknown':
      return wireAlarm({ state, why: 'none' });
    case 'not-due':
      return wireAlarm({ state });
  }
}

/** Objects in the cells of a row. */
function objectsOf(fleet: WireFleet, row: WireRow): WireObject[] {
  return fleet.columns.flatMap((column, c) => {
    const verdict = verdictOf.get(row.cells[c] ?? ' ');
    if (verdict === undefined) return [];
    const mark = row.marks.find((each) => each.c === c);
    const base = {
      cluster: row.cluster,
      name: column.title,
      verdict,
      alarm: alarmOf(mark?.alarm ?? 'not-due'),
    } as const;
    if (verdict === 'diverged') return failingCheckout(base);
    const sentence =
      verdict === 'converged'
        ? `Kustomization ${column.title} is as declared.`
        : `Kustomization ${column.title} in flux-system is ${verdict}: its last pass was at the commit before the newest, and nothing proves that it turns.`;
    return wireObject({
      ...base,
      sentence,
      drift: c % 4 === 0 ? 'not-measured' : 'none',
      was: verdict === 'unobserved' ? 'converged' : null,
    });
  });
}

function worstFirst(objects: readonly WireObject[]): WireObject[] {
  return objects.toSorted((a, b) => verdictRank(a.verdict) - verdictRank(b.verdict));
}

/** Every object of a made-up fleet, as the list shows them: the first 100. */
export function listOf(fleet: WireFleet): WireObjectList {
  const objects = worstFirst(fleet.rows.flatMap((row) => objectsOf(fleet, row)));
  return {
    ...wireList(objects.slice(0, 100)),
    total: objects.length,
    counts: fleet.summary.counts,
    nextCursor: 'more',
  };
}

/** The page of a cluster of a made-up fleet; null where it has none of that name. */
export function clusterPageOf(fleet: WireFleet, name: string): WireClusterPage | null {
  const row = fleet.rows.find((each) => each.cluster === name);
  if (row === undefined) return null;
  const lost = row.state !== 'live';
  const feeds = ['Kustomization', 'HelmRelease', 'GitRepository', 'HelmRepository', 'Bucket'].map((kind) =>
    wireFeed({ kind, ...(lost ? { state: 'failed' as const, reason: 'connect ETIMEDOUT', since: row.since } : {}) }),
  );
  const { state, since, reason, plannedWork } = row;
  const planned = plannedWork === null ? null : { ...plannedWork, objects: row.marks.length };
  return wireClusterPage(worstFirst(objectsOf(fleet, row)), {
    of: { name, state, since, reason, feeds, plannedWork: planned },
  });
}

/** The page of an object of a made-up fleet; null where it has none of that name. */
export function objectPageOf(fleet: WireFleet, ref: ObjectRef): WireObjectPage | null {
  const row = fleet.rows.find((each) => each.cluster === ref.cluster);
  const object = row === undefined ? undefined : objectsOf(fleet, row).find(({ name }) => name === ref.name);
  if (row === undefined || object === undefined) return null;
  const chains = { silent: silentChain, sounding: soundingChain };
  const { state } = object.alarm;
  return wireObjectPage({
    object,
    ...(state === 'silent' || state === 'sounding' ? { chain: chains[state]() } : {}),
    cluster: {
      name: row.cluster,
      state: row.state,
      reason: row.reason,
      labels: { environment: row.group },
      plannedWork: row.plannedWork,
    },
    transitions: [
      wireTransition(47, object.verdict, { from: 'converged', reason: object.reason, message: object.message }),
      wireTransition(300, 'converged'),
    ],
    gaps: [{ from: minutesAgo(180), to: minutesAgo(152), state: 'unreachable', reason: 'connect ETIMEDOUT' }],
  });
}
