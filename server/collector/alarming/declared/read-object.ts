import { foreignLabel, foreignName, nameAt, unkeptTextAt } from '#lib/foreign-words.ts';
import { firstAt, objectAt, textAt, timeAt } from '#lib/foreign.ts';
import type { Labels } from '#lib/domain/alarm/fact.ts';

/** An object by its names and labels, and when it was written. */
export interface ReadObject {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly labels: Labels;
  readonly writtenAt: number | null;
}

const mostLabels = 32;
const mostManagers = 64;
const longestLabelText = 253;

/** Reads the metadata of an object of the Prometheus operator; null where it has no name. */
export function readObject(object: unknown): ReadObject | null {
  const name = nameAt(object, 'metadata', 'name');
  const namespace = nameAt(object, 'metadata', 'namespace');
  const uid = nameAt(object, 'metadata', 'uid');
  if (name === null || namespace === null || uid === null || uid === '') return null;
  return { namespace, name, uid, labels: labelsOf(object), writtenAt: writtenAt(object) };
}

function labelsOf(object: unknown): Labels {
  const said = objectAt(object, 'metadata', 'labels');
  const names = Object.keys(said)
    .filter((name) => name.length <= longestLabelText)
    .sort((a, b) => (a < b ? -1 : Number(a > b)))
    .slice(0, mostLabels);
  return Object.fromEntries(
    names.map((name) => [foreignName(name), foreignLabel(unkeptTextAt(said, name) ?? '')] as const),
  );
}

/** The newest of its creation and of what each manager wrote, but for its status. */
function writtenAt(object: unknown): number | null {
  const writes = firstAt(mostManagers, object, 'metadata', 'managedFields')
    .filter((entry) => (textAt(entry, 'subresource') ?? '') === '')
    .map((entry) => timeAt(entry, 'time'));
  const times = [timeAt(object, 'metadata', 'creationTimestamp'), ...writes].filter((time) => time !== null);
  return times.length === 0 ? null : Math.max(...times);
}
