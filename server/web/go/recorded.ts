import type { WireRecorded } from '#lib/api/pager/go.ts';
import type { Wanted } from '#lib/domain/pager/given.ts';
import { kindTest } from '#lib/domain/pager/kind-name.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import type { Transition } from '#lib/domain/record/current.ts';
import { day } from '#lib/domain/time/length.ts';
import type { RecordScope } from '#server/store/port/record-port.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { wireTransition } from '../wire/object/wire-object.ts';

/** The record is searched so far back, and so many of its newest changes of that name. */
const reach = 90 * day;
const mostSearched = 200;
const mostShown = 5;

/** Objects that labels name and that were there once, the last to change first; `isRead`: the record could be searched. */
export async function recordedOf(
  moment: KnownMoment,
  wanted: Wanted,
): Promise<{ readonly recorded: WireRecorded[]; readonly isRead: boolean }> {
  const record = moment.reader()?.record;
  if (!record) return { recorded: [], isRead: false };
  if (wanted.name === null) return { recorded: [], isRead: true };
  const now = moment.now();
  const { cluster, namespace, name } = wanted;
  const scope: RecordScope = {
    clusters: cluster === null ? null : [cluster.value],
    name: name.value,
    // Plain `namespace` may be that of the exporter.
    ...(namespace?.label === 'exported_namespace' ? { namespace: namespace.value } : {}),
  };
  try {
    const page = { cursor: null, limit: mostSearched };
    const { items } = await record.transitions(scope, { from: now - reach, to: now + 1 }, page);
    return { recorded: lastOfEach(items, wanted), isRead: true };
  } catch {
    return { recorded: [], isRead: false };
  }
}

function lastOfEach(items: readonly Transition[], { kind }: Wanted): WireRecorded[] {
  const isNamed = kind === null ? () => true : kindTest(kind.value);
  const last = new Map<string, Transition>();
  for (const transition of items) {
    const key = refKey(transition.ref);
    if (isNamed(transition.ref) && !last.has(key)) last.set(key, transition);
  }
  return [...last.values()].slice(0, mostShown).map((transition) => {
    const wire = wireTransition(transition);
    return { ref: wire.ref, last: wire };
  });
}
