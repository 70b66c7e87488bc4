import type { Observation } from '#lib/domain/observation.ts';
import type { ClusterEvent } from '../clusters/cluster-event.ts';
import { observe } from '../reconcilers/registry.ts';
import type { ClusterTime } from './cluster-time.ts';
import { withoutMessages } from './without-messages.ts';

/** How the objects of one cluster are read. */
interface Reading {
  readonly cluster: string;
  readonly keepMessages: boolean;
  readonly time: ClusterTime;
}

/** What an object that was heard of says, on our clock; null where its kind is none that is read. */
export function readObject(
  { cluster, keepMessages, time }: Reading,
  { kind, object, at }: Extract<ClusterEvent, { readonly type: 'applied' }>,
): Observation | null {
  const told = observe(kind, object, { cluster, kind, receivedAt: at });
  const observation = told && time.ours(told);
  return observation === null || keepMessages ? observation : withoutMessages(observation);
}
