import { describe, expect, it } from 'vitest';
import type { Incident } from '#lib/domain/incident.ts';
import { plainRecord } from '#test/contract/plain-record.ts';
import { memoryStore } from '../testing/memory-reader.ts';
import { sampleNow, sampleRef } from '../testing/sample.ts';
import { readerAsOf } from './reader-as-of.ts';

const ref = sampleRef({ name: 'checkout' });
const all = { clusters: null };
const at = sampleNow;
const hour = 3_600_000;
const period = { from: at - hour, to: at + hour };

const turned = (minutes: number, to: 'converged' | 'diverged') => ({
  ref,
  uid: 'u',
  at: at + minutes * 60_000,
  bound: 'exact' as const,
  noticedAt: at + minutes * 60_000,
  from: null,
  to,
  reason: 'Because',
  message: '',
  commit: null,
  attempted: null,
  rootCause: null,
});

const incident: Incident = {
  ref,
  uid: 'u',
  openedAt: at - 60_000,
  bound: 'exact',
  noticedAt: at - 60_000,
  closedAt: at + 60_000,
  ended: 'converged',
  worst: 'diverged',
  reason: 'Because',
  rootCause: null,
  firstBad: null,
  lastGood: null,
};

describe('the record as it stood at a moment', () => {
  it('has nothing of later: what ended since was still going on', async () => {
    const record = plainRecord({
      transitions: [turned(-2, 'converged'), turned(-1, 'diverged'), turned(1, 'converged')],
      incidents: [incident, { ...incident, openedAt: at - hour / 2, noticedAt: at - hour / 2, closedAt: at - 120_000 }],
    });
    const reader = readerAsOf({ ...(await memoryStore().source.open()), record }, at);
    const spans = await reader.record.spans(ref, period, 9);
    expect(spans.map(({ verdict, to }) => [verdict, to])).toEqual([
      ['converged', at - 60_000],
      ['diverged', null],
    ]);
    const page = { cursor: null, limit: 9 };
    expect((await reader.record.spansIn(all, period, page)).items).toHaveLength(2);
    const { items } = await reader.record.incidents(all, period, { ...page, order: 'newest' });
    expect(items.map(({ closedAt, ended }) => [closedAt, ended])).toEqual([
      [null, null],
      [at - 120_000, 'converged'],
    ]);
  });

  it('knows of no change that was noticed later, though it is dated before', async () => {
    const store = memoryStore();
    const fact = { type: 'created' } as const;
    for (const noticedAt of [at - 10, at + 10])
      store.changed({ cluster: ref.cluster, ref, at: at - 20, notBefore: at - 20, noticedAt, fact });
    store.transition({ ...turned(-1, 'diverged'), noticedAt: at + 10 });
    const reader = readerAsOf(await store.source.open(), at);
    expect(await reader.changes({ from: 0, to: at + hour, limit: 9 })).toHaveLength(1);
    expect(await reader.transitions(ref, { from: 0, to: at + hour, limit: 9 })).toEqual([]);
    expect(await reader.detail(ref)).toBeNull();
  });
});
