import { sameRef } from '#lib/domain/observation/ref.ts';
import type { NotedChange } from '#lib/domain/record/change.ts';
import type { Span } from '#lib/domain/record/span.ts';
import type { RecordReader } from '../port/record-port.ts';
import { descending, timeWithin } from './lists.ts';
import type { Recorded } from './recorded.ts';
import { spansWithin } from './spans.ts';

/**
 * Who began a suspension, from the changes of its object in the order in which they were noticed: the last `suspended` that was noticed
 * before the span ended, unless a `resumed` came between that and the span. null where nobody is known.
 */
export function suspendedBy(
  { from, to }: Pick<Span, 'from' | 'to'>,
  changes: Iterable<Pick<NotedChange, 'noticedAt' | 'fact'>>,
): string | null {
  let by: string | null = null;
  for (const { fact, noticedAt } of changes) {
    if (noticedAt >= (to ?? Infinity)) break;
    if (fact.type === 'suspended') by = fact.by;
    else if (fact.type === 'resumed' && noticedAt <= from) by = null;
  }
  return by;
}

/** Answers about what was suspended. */
export function readSuspensions(recorded: Recorded): RecordReader['suspensions'] {
  return async (scope, period, limit) => {
    const spans = spansWithin(recorded, scope, period)
      .map(({ span }) => span)
      .filter(({ verdict }) => verdict === 'suspended');
    return descending(spans, (span) => timeWithin(span, period))
      .slice(0, limit)
      .map((span) => {
        const own = recorded.changes.filter(({ ref }) => sameRef(ref, span.ref));
        return {
          span,
          by: suspendedBy(
            span,
            own.toSorted((a, b) => a.noticedAt - b.noticedAt),
          ),
        };
      });
  };
}
