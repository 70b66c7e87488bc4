import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import type { WireChange } from '#lib/api/object.ts';
import { clusterPath, objectPath } from '#lib/api/paths.ts';
import type { NotedChange } from '#lib/domain/record/change.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { commitOf } from '#lib/domain/observation/revision.ts';
import { changeHand, changeLabel } from '#lib/format/change-label.ts';
import { shortRevision } from '#lib/format/revision.ts';
import type { WireContext } from '../wire-context.ts';
import { refOnly, wireRevision } from './wire-object.ts';
import { wireTime } from '../wire-time.ts';

/** A change on the wire. `find` gives the object as known now: its repository is where its commits lead to. */
export function wireChange(
  change: NotedChange,
  find: (ref: ObjectRef) => KnownObject | null,
  context: WireContext,
): WireChange {
  const { cluster, ref, at, notBefore, noticedAt, fact } = change;
  const object = ref === null ? null : find(ref);
  const revision = (text: string | null) =>
    text === null ? null : wireRevision(shortRevision(text), commitOf(text, ref?.kind ?? null), object, context);
  return {
    cluster,
    ref: ref === null ? null : refOnly(ref),
    type: fact.type,
    text: changeLabel(fact),
    by: changeHand(fact),
    at: wireTime(at),
    notBefore: wireTime(notBefore),
    noticedAt: wireTime(noticedAt),
    revision: fact.type === 'revision' ? { from: revision(fact.from), to: revision(fact.to) } : null,
    href: ref === null ? clusterPath(cluster) : objectPath(ref),
  };
}
