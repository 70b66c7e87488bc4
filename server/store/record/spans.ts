import { isAway } from '#lib/domain/guarantee/guarantee.ts';
import { refKey, sameRef, type RefKey } from '#lib/domain/observation/ref.ts';
import type { Transition } from '#lib/domain/record/current.ts';
import { gapsOf, type Gap } from '#lib/domain/record/gap.ts';
import { segmentsOf, type Segment } from '#lib/domain/record/segments.ts';
import type { Period, Span } from '#lib/domain/record/span.ts';
import type { RecordReader, RecordScope } from '../port/record-port.ts';
import { descending, overlaps, pageOf } from './lists.ts';
import { noTraits, type PastTraits } from './past-object.ts';
import { includesObject, type Recorded } from './recorded.ts';

/** A span with what was kept of its object as it began. */
export interface RecordedSpan {
  readonly span: Span;
  readonly traits: PastTraits;
}

/** Every span, in the order in which they were written: each ends where the object's next transition was noticed. */
function allSpans({ transitions, traits }: Recorded): readonly RecordedSpan[] {
  const spans: RecordedSpan[] = [];
  const last = new Map<RefKey, number>();
  for (const transition of transitions) {
    const key = refKey(transition.ref);
    const position = last.get(key);
    const before = position === undefined ? undefined : spans[position];
    if (position !== undefined && before !== undefined) {
      const to = Math.max(before.span.from, transition.noticedAt);
      spans[position] = { ...before, span: { ...before.span, to } };
    }
    last.delete(key);
    const span = beginningSpan(transition);
    if (span === null) continue;
    last.set(key, spans.length);
    spans.push({ span, traits: traits.get(transition) ?? noTraits });
  }
  return spans;
}

function beginningSpan(transition: Transition): Span | null {
  const { ref, uid, to, at, bound, noticedAt, reason, message, commit, attempted, rootCause } = transition;
  if (to === null) return null;
  const onset = { time: at, bound };
  return { ref, uid, verdict: to, from: noticedAt, to: null, onset, reason, message, commit, attempted, rootCause };
}

/** The spans of a scope that overlap a period. */
export function spansWithin(recorded: Recorded, scope: RecordScope, period: Period): readonly RecordedSpan[] {
  return allSpans(recorded).filter(({ span }) => includesObject(scope, span.ref) && overlaps(span, period));
}

/** The same, cut to the period, with the gaps of each cluster and kind laid over. */
export function segmentsWithin(recorded: Recorded, scope: RecordScope, period: Period): readonly Segment<Span>[] {
  const known = new Map<string, readonly Gap[]>();
  function gapsOver({ ref: { cluster, group, kind } }: Span): readonly Gap[] {
    const key = `${cluster}/${group}/${kind}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const points = recorded.coverage.filter((point) => point.cluster === cluster);
    const gaps = gapsOf(points, { group, kind });
    known.set(key, gaps);
    return gaps;
  }
  return spansWithin(recorded, scope, period).flatMap(({ span }) => segmentsOf([span], gapsOver(span), period));
}

/** Those of them in which an object was seen to be away. */
export function awayWithin(recorded: Recorded, scope: RecordScope, period: Period): readonly Segment<Span>[] {
  return segmentsWithin(recorded, scope, period).filter(({ verdict }) => isAway(verdict));
}

/** Answers about spans. */
export function readSpans(
  recorded: Recorded,
): Pick<RecordReader, 'spans' | 'spansIn' | 'earlier' | 'objectCount' | 'hasObject'> {
  return {
    async spans(ref, period, limit) {
      const own = allSpans(recorded).filter(({ span }) => sameRef(span.ref, ref) && overlaps(span, period));
      return own.slice(0, limit).map(({ span }) => span);
    },
    async spansIn(scope, period, { verdicts, ...page }) {
      const spans = spansWithin(recorded, scope, period).map(({ span }) => span);
      const wanted = spans.filter(({ verdict }) => verdicts?.includes(verdict) ?? true);
      return pageOf(
        descending(wanted, ({ from }) => from),
        page,
      );
    },
    async earlier(ref) {
      return recorded.earlier.filter((span) => sameRef(span.ref, ref)).toSorted((a, b) => a.from - b.from);
    },
    async hasObject(scope, period) {
      return spansWithin(recorded, scope, period).length > 0;
    },
    async objectCount(scope, period) {
      return new Set(spansWithin(recorded, scope, period).map(({ span }) => refKey(span.ref))).size;
    },
  };
}
