import { isHeard } from '#lib/domain/alarm/book/notice.ts';
import { attributedCluster } from '#lib/domain/alarm/called/attributed-cluster.ts';
import type { AlarmCall } from '#lib/domain/alarm/call.ts';
import type { NoticeFact } from '#lib/domain/alarm/fact.ts';
import type { ClusterAttribution } from '#lib/domain/alarm/source.ts';

/** Where and when alerts were read. */
export interface CallsRead {
  /** Name of the source. */
  readonly source: string;
  readonly attribution: ClusterAttribution;
  /** When the reading began (ms). */
  readonly at: number;
  /** Receivers that call with anything, by name. */
  readonly calling: ReadonlySet<string>;
  /** True if a rule of this name reads objects of reconcilers; null where that is not known. */
  readonly readsObjects: (alert: string) => boolean | null;
}

/** Calls that last, by their key, and those that began or ended since. */
export interface NextCalls {
  readonly open: ReadonlyMap<string, AlarmCall>;
  readonly changes: readonly AlarmCall[];
}

/**
 * The calls after a reading. A call lasts while its alert is active, held back by nothing, and routed to a receiver that calls. One that began
 * to fire anew between two readings is another call.
 */
export function nextCalls(
  before: ReadonlyMap<string, AlarmCall>,
  notices: readonly NoticeFact[],
  { source, attribution, at, calling, readsObjects }: CallsRead,
): NextCalls {
  const open = new Map<string, AlarmCall>();
  const changes: AlarmCall[] = [];
  for (const notice of notices) {
    const receivers = notice.receivers.filter((name) => calling.has(name));
    if (!isHeard(notice) || receivers.length === 0) continue;
    const lasting = before.get(notice.key);
    if (lasting?.startsAt === notice.startsAt) {
      open.set(notice.key, lasting);
      continue;
    }
    const { key, labels, startsAt } = notice;
    const alert = labels['alertname'] ?? '';
    const cluster = attributedCluster(labels, attribution);
    const names = { source, key, alert, labels, cluster, receivers };
    const call = { ...names, readsObjects: readsObjects(alert), startsAt, from: at, to: null };
    open.set(key, call);
    changes.push(call);
  }
  for (const [key, call] of before) if (open.get(key) !== call) changes.push({ ...call, to: Math.max(at, call.from) });
  return { open, changes };
}
