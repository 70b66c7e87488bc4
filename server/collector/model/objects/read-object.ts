import type { Observation } from '#lib/domain/observation/observation.ts';
import type { RefKey } from '#lib/domain/observation/ref.ts';
import { textAt } from '#lib/foreign.ts';
import type { ClusterEvent } from '../../clusters/cluster-event.ts';
import { observe } from '../../reconcilers/registry.ts';
import type { ClusterTime } from '../judging/cluster-time.ts';
import type { Entry } from './entry.ts';
import { keyOfForeign } from './object-graph.ts';
import { withoutMessages } from './without-messages.ts';

/** Reading of the objects of one cluster. */
interface Reading {
  readonly cluster: string;
  readonly keepMessages: boolean;
  readonly time: ClusterTime;
  readonly entries: ReadonlyMap<RefKey, Entry>;
}

/** Observation of an object that was heard of, on our clock; null where its kind is none that is read. */
export function readObject(
  { cluster, keepMessages, time, entries }: Reading,
  { kind, object, at, initial }: Extract<ClusterEvent, { readonly type: 'applied' }>,
): Observation | null {
  const key = initial ? null : keyOfForeign(cluster, kind, object);
  const known = key === null ? null : (entries.get(key)?.track.latest ?? null);
  const before = known?.uid === textAt(object, 'metadata', 'uid') ? known : null;
  const told = observe(kind, object, { cluster, receivedAt: at, before });
  const observation = told && time.ours(told);
  return observation === null || keepMessages ? observation : withoutMessages(observation);
}
