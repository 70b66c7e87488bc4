import type { CurrentObject } from '#lib/domain/record/current.ts';
import { refKey, type ObjectRef } from '#lib/domain/observation/ref.ts';
import { encodeRange } from './range-text.ts';
import { encodeUpstreams } from './upstreams-text.ts';
import { encodeTraits } from './traits.ts';

/** Contents of a place of a row: a text of the object's own, a text that many objects share, or a time (ms). `?`: or null. */
export type Holds = 'own' | 'shared' | 'shared?' | 'time' | 'time?';

/** One value of a row. */
export type RowCell = string | number | null;

/** The columns of a present record behind its name, in their order. */
export const recordColumns = [
  { name: 'uid', holds: 'own' },
  { name: 'traits', holds: 'shared' },
  { name: 'message', holds: 'shared' },
  { name: 'sentence', holds: 'shared' },
  { name: 'onset_at', holds: 'time' },
  { name: 'onset_noticed_at', holds: 'time' },
  { name: 'away_at', holds: 'time?' },
  { name: 'away_noticed_at', holds: 'time?' },
  { name: 'observed_at', holds: 'time' },
  { name: 'confirmed_at', holds: 'time?' },
  { name: 'valid_until', holds: 'time?' },
  { name: 'revision', holds: 'shared' },
  { name: 'path', holds: 'shared?' },
  { name: 'source', holds: 'shared?' },
  { name: 'delivered_by', holds: 'shared?' },
  { name: 'repository', holds: 'shared?' },
  { name: 'rest', holds: 'shared?' },
  { name: 'stands_on', holds: 'shared?' },
  { name: 'commit_range', holds: 'shared?' },
] as const satisfies readonly { readonly name: string; readonly holds: Holds }[];

function refText(ref: ObjectRef | null): string | null {
  return ref === null ? null : refKey(ref);
}

/** A present record as a flat row, in the order of `recordColumns`: it crosses threads and is stored at a fraction of what the tree costs. */
export function rowOf(object: CurrentObject): readonly RowCell[] {
  const { revision, rootCause, exemptions, onset, awaySince } = object;
  return [
    object.uid,
    encodeTraits(object),
    object.message,
    object.sentence,
    onset.time,
    onset.noticedAt,
    awaySince?.time ?? null,
    awaySince?.noticedAt ?? null,
    object.observedAt,
    object.confirmedAt,
    object.validUntil,
    JSON.stringify([revision.applied, revision.attempted, revision.offered, object.commit]),
    object.path,
    refText(object.source),
    refText(object.deliveredBy),
    object.repository,
    rootCause === null && exemptions.length === 0 ? null : JSON.stringify({ rootCause, exemptions }),
    encodeUpstreams(object.standsOn),
    object.range === null ? null : encodeRange(object.range),
  ];
}
