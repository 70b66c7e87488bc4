import { kindKey } from '../../observation/ref.ts';
import type { CurrentCluster } from '../../record/current.ts';
import type { ClusterAsKnown } from '../../verdict/as-known-at.ts';
import type { Alarming } from './fact.ts';
import { alarmingKinds } from './kinds.ts';

/**
 * All that a cluster says of who is called, as it may be told now: of a cluster that is not seen, and of a kind that is not read, nothing is known. null
 * where nothing is at all.
 */
export function knownAlarming(
  record: Pick<CurrentCluster, 'alarming' | 'feeds'> | null,
  { state }: Pick<ClusterAsKnown, 'state'>,
): Alarming | null {
  if (record === null || record.alarming === null || state !== 'live') return null;
  const live = new Set(record.feeds.filter((feed) => feed.state === 'live').map(kindKey));
  const types = new Set(alarmingKinds.filter((kind) => live.has(kindKey(kind))).map(({ type }) => type));
  const { facts, cut } = record.alarming;
  return { facts: facts.filter(({ type }) => types.has(type)), cut: cut.filter((type) => types.has(type)) };
}
