import type { EarlierSpan } from '#lib/domain/record/span.ts';
import type { Entry } from '../objects/entry.ts';
import { effectiveObservation } from './knowledge.ts';
import { endedWell } from './onset.ts';

/**
 * Spans that a Kustomization tells, when it is first seen, of its passes before that (status.history, docs/facts/flux.md): one for each
 * content and end, from its first pass to its last that are told.
 */
export function earlierSpans(entry: Entry): readonly EarlierSpan[] {
  const { history, uid } = effectiveObservation(entry);
  const { firstSeenAt } = entry.track;
  return history.flatMap((told): EarlierSpan[] => {
    const good = endedWell(told);
    const { first, last, status, revision } = told;
    if (good === null || first === null || last === null || first >= firstSeenAt) return [];
    return [
      { ref: entry.ref, uid, from: first, to: Math.min(Math.max(first, last), firstSeenAt), good, status, revision },
    ];
  });
}
