import { describe, expect, it } from 'vitest';
import { createFleetCache } from '../cache/fleet-cache.ts';
import type { Past } from '../present.ts';
import { sampleMoment, samplePresent } from '../testing/moment.ts';
import { webRuntimeOf } from '../web-runtime.ts';
import { requestedMoment } from './requested-moment.ts';

const at = '2026-11-21T01:00:00Z';
const time = Date.parse(at);
const whole = { clusters: null };

/** The moment of an address where the past is this: true or false in place of who answers it, and the times that were asked for. */
async function requested(asked: string | readonly string[] | undefined, past: Past = { type: 'unreadable' }) {
  const times: number[] = [];
  const runtime = webRuntimeOf(samplePresent(sampleMoment(createFleetCache())), async (each) => {
    times.push(each);
    return past;
  });
  const found = await requestedMoment(runtime, asked, whole);
  const known = found.type === 'known' ? { isNow: found.known === runtime, moment: found.moment } : found;
  return { ...known, times };
}

function beside(before: number | null, after: number | null): Past {
  const none = () => Promise.reject(new Error('This test asks nothing.'));
  return {
    type: 'past',
    moment: { ask: none, file: none, summary: none },
    beside: async (scope) => (scope === whole ? { before, after } : { before: 0, after: 0 }),
  };
}

describe('the moment that an address names', () => {
  it.each([undefined, '', [], ['']])('is now where it is %j', async (asked) => {
    expect(await requested(asked)).toEqual({ isNow: true, moment: null, times: [] });
  });

  it.each<[what: string, past: Past, previous: string | null, next: string | null]>([
    ['nothing changed', beside(null, null), null, null],
    ['something changed', beside(time - 1_000, time + 1), '2026-11-21T00:59:59Z', '2026-11-21T01:00:00.001Z'],
  ])('has the nearest beside it where %s', async (_what, past, previous, next) => {
    const answer = { isNow: false, moment: { at, previous, next }, times: [time] };
    expect(await requested(at, past)).toEqual(answer);
    expect(await requested([at, 'soon'], past)).toEqual(answer);
  });

  it.each<[past: Past, why: object]>([
    [
      { type: 'future', now: 0 },
      { type: 'future', at },
    ],
    [
      { type: 'before-record', since: null },
      { type: 'before-record', at, since: null },
    ],
    [
      { type: 'before-record', since: time + 1_000 },
      { type: 'before-record', at, since: '2026-11-21T01:00:01Z' },
    ],
    [{ type: 'unreadable' }, { type: 'unreadable', at }],
  ])('is none where the past is %j', async (past, why) => {
    expect(await requested(at, past)).toEqual({ type: 'none', why, times: [time] });
  });

  it('is none where it is no time', async () => {
    expect(await requested('soon')).toEqual({ type: 'none', why: { type: 'no-time', text: 'soon' }, times: [] });
  });
});
