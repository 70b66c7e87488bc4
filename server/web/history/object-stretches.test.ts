import { expect, it } from 'vitest';
import type { Gap } from '#lib/domain/record/gap.ts';
import type { Span } from '#lib/domain/record/span.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { sampleRef } from '../testing/sample.ts';
import { objectStretches, type ObjectRecord } from './object-stretches.ts';

function span(from: number, to: number | null, verdict: Verdict): Span {
  const silent = { reason: '', message: null, commit: null, attempted: null, rootCause: null };
  return {
    ref: sampleRef({ name: 'checkout' }),
    uid: 'u',
    verdict,
    from,
    to,
    onset: { time: from, bound: 'exact' },
    ...silent,
  };
}

const unreachable = (from: number, to: number | null): Gap => ({ from, to, state: 'unreachable', reason: 'no route' });

/** Stretches between 0 and 100: each state with its end; * where a span is behind it. */
function drawn(part: Partial<ObjectRecord>): string {
  const stretches = objectStretches({ spans: [], gaps: [], since: 0, present: null, ...part }, { from: 0, to: 100 });
  return stretches
    .map(({ state, to, span: found, blind }) => `${state}${found ? '*' : ''}${blind ? ` (${blind})` : ''} ${to}`)
    .join(', ');
}

const twice = [span(0, 20, 'diverged'), span(20, 50, 'unhealthy'), span(50, null, 'converged')];
const whole = 'diverged* 20, unhealthy* 50, converged* 100';

it.each<[what: string, record: Partial<ObjectRecord>, drawn: string]>([
  ['no record at all', { since: null }, 'not-recorded 100'],
  ['recorded, and never there', {}, 'absent 100'],
  [
    'no record of its cluster: since its first span',
    { since: null, spans: [span(10, 20, 'diverged'), span(50, null, 'converged')] },
    'not-recorded 10, diverged* 20, absent 50, converged* 100',
  ],
  [
    'not there at first',
    { since: 10, spans: [span(30, null, 'converged')] },
    'not-recorded 10, absent 30, converged* 100',
  ],
  ['gone and back', { spans: [span(0, 20, 'stale'), span(60, null, 'stale')] }, 'stale* 20, absent 60, stale* 100'],
  ['gone for good', { spans: [span(0, 20, 'stale')] }, 'stale* 20, absent 100'],
  ['as it is recorded', { spans: twice }, whole],
  ['known now as it is recorded', { spans: twice, present: { verdict: 'converged', since: 90 } }, whole],
  [
    'known otherwise now: only the last span is cut, and nothing is behind what follows',
    { spans: twice, present: { verdict: 'stale', since: 90 } },
    'diverged* 20, unhealthy* 50, converged* 90, stale 100',
  ],
  [
    'known otherwise since before its last span: that span is none',
    { spans: twice, present: { verdict: 'stale', since: 40 } },
    'diverged* 20, unhealthy* 50, stale 100',
  ],
  [
    'known otherwise, though it was gone by then',
    { spans: [span(0, 20, 'diverged')], present: { verdict: 'stale', since: 90 } },
    'diverged* 20, absent 100',
  ],
  [
    'known otherwise at the very moment at which it went',
    { spans: [span(0, 100, 'diverged')], present: { verdict: 'stale', since: 90 } },
    'diverged* 90, stale 100',
  ],
  [
    'not seen from one span into the next',
    { spans: twice, gaps: [unreachable(40, 60)] },
    'diverged* 20, unhealthy* 40, unobserved (no route) 60, converged* 100',
  ],
  [
    'not seen for two reasons, one after the other',
    { spans: twice, gaps: [unreachable(40, 50), { ...unreachable(50, 60), reason: null }] },
    'diverged* 20, unhealthy* 40, unobserved (no route) 50, unobserved (unreachable) 60, converged* 100',
  ],
])('%s', (_what, record, text) => {
  expect(drawn(record)).toBe(text);
});
