import { nameAt, namesAt } from '#lib/foreign-words.ts';
import { at, firstAt, listAt } from '#lib/foreign.ts';
import { alertsInATurn, most } from '../left-out.ts';
import { sortedUnique } from '../words.ts';

/** A group in which an alert stands: whom it calls, and names of the time intervals that mute it; null where its Alertmanager does not tell. */
export interface AlertGroup {
  readonly receiver: string;
  readonly mutedBy: readonly string[] | null;
}

/** Groups of alerts, by fingerprint. */
export type AlertGroups = ReadonlyMap<string, readonly AlertGroup[]>;

const mostNamed = 64;

/**
 * Reads an answer to `/api/v2/alerts/groups`; null where it is none, or too large: alerts tell what mutes them there alone. `turn`: lets others have their
 * turn, between alerts.
 */
export async function readGroups(body: unknown, turn: () => Promise<void>): Promise<AlertGroups | null> {
  if (!Array.isArray(body)) return null;
  const found = new Map<string, AlertGroup[]>();
  let left = 2 * most.notices;
  let read = 0;
  for (const group of body) {
    const receiver = nameAt(group, 'receiver', 'name');
    const alerts = listAt(group, 'alerts');
    left -= alerts.length;
    if (receiver === null || left < 0) return null;
    for (const alert of alerts) {
      read += 1;
      if (read % alertsInATurn === 0) await turn();
      const fingerprint = nameAt(alert, 'fingerprint');
      if (fingerprint === null) return null;
      const groups = found.get(fingerprint) ?? [];
      groups.push({ receiver, mutedBy: mutedByOf(alert) });
      found.set(fingerprint, groups);
    }
  }
  return found;
}

function mutedByOf(alert: unknown): readonly string[] | null {
  const status = at(alert, 'status');
  if (!Array.isArray(at(status, 'mutedBy'))) return null;
  return sortedUnique(namesAt({ list: firstAt(mostNamed, status, 'mutedBy') }, 'list'));
}
