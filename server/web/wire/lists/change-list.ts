import type { WireChangeList } from '#lib/api/change.ts';
import type { NotedChange } from '#lib/domain/record/change.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { wireChange } from '../object/wire-change.ts';
import type { WireContext } from '../wire-context.ts';
import { wireTime } from '../wire-time.ts';

/** The changes of a span of time (ms), newest first, at most `limit` of those that were found. */
export function changeList(
  found: readonly NotedChange[],
  span: { readonly from: number; readonly to: number },
  limit: number,
  find: (ref: ObjectRef) => CurrentObject | null,
  context: WireContext,
): WireChangeList {
  return {
    asOf: wireTime(context.now),
    from: wireTime(span.from),
    to: wireTime(span.to),
    changes: found.slice(0, limit).map((change) => wireChange(change, find, context)),
    more: found.length > limit,
  };
}
