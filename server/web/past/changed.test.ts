import { beforeEach, describe, expect, it } from 'vitest';
import type { Changed } from '#lib/api/change.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { minute } from '#lib/domain/time/length.ts';
import type { StoreReader } from '#server/store/port/port.ts';
import { memoryStore, type MemoryStore } from '../testing/memory-reader.ts';
import { sampleCluster, sampleNow, sampleObject, sampleRef } from '../testing/sample.ts';
import { createFleetCache } from '../cache/fleet-cache.ts';
import { sampleMoment } from '../testing/moment.ts';
import { changedBetween, changedOf, type ChangedQuestion } from './changed.ts';

let store: MemoryStore;
let reader: StoreReader;

const ago = (minutes: number): number => sampleNow - minutes * minute;
const text = (minutes: number): string => new Date(ago(minutes)).toISOString();

function turned(minutes: number, name: string): void {
  store.transition({
    ref: sampleRef({ name }),
    uid: name,
    at: ago(minutes),
    bound: 'exact',
    noticedAt: ago(minutes),
    from: null,
    to: 'converged',
    reason: 'ReconciliationSucceeded',
    message: '',
    commit: null,
    attempted: null,
    rootCause: null,
  });
}

function edited(minutes: number, name: string): void {
  const at = ago(minutes);
  const fact = { type: 'spec-edited', by: 'flux', from: 1, generation: 2 } as const;
  store.changed({ cluster: 'eu-west-3', ref: sampleRef({ name }), at, notBefore: at, noticedAt: at, fact });
}

async function ask(question: Partial<ChangedQuestion> = {}): Promise<Changed> {
  const answer = await answerTo(question);
  if ('type' in answer) throw new Error(`refused: ${answer.type}`);
  return answer;
}

function answerTo(question: Partial<ChangedQuestion>, validUntil: number | null = null) {
  const context = { policy: defaultPolicy, now: sampleNow, links: () => null };
  return changedBetween(
    { from: '', to: '', last: '', cluster: '', ...question },
    { store: reader, clusters: [{ name: 'eu-west-3', validUntil }], find: () => null, context },
  );
}

const names = ({ transitions, changes }: Changed) => [
  transitions.map(({ ref }) => ref.name).join(),
  changes.map(({ ref }) => ref?.name).join(),
];

beforeEach(async () => {
  store = memoryStore();
  reader = await store.source.open();
  store.covered({ cluster: 'eu-west-3', kind: null, at: ago(600), observed: true, state: 'live', reason: null });
});

describe('what changed between two moments', () => {
  beforeEach(() => {
    for (const minutes of [300, 60, 30]) turned(minutes, `t${minutes}`);
    for (const minutes of [200, 45, 30]) edited(minutes, `e${minutes}`);
  });

  it('is of the last day up to now where nothing is said', async () => {
    const all = await ask();
    expect(all).toMatchObject({ from: text(24 * 60), to: text(0), upToNow: true, back: null, crowded: false });
    expect(names(all)).toEqual(['t30,t60,t300', 'e30,e45,e200']);
  });

  it('is of the last hours or days where they are named, and of the clusters that are', async () => {
    const { from, to } = await ask({ last: '6h' });
    expect([from, to]).toEqual([text(6 * 60), text(0)]);
    expect(names(await ask({ last: '6h', cluster: 'eu-west-3, eu-west-3' }))).toEqual(['t30,t60,t300', 'e30,e45,e200']);
  });

  it('has its beginning and not its end', async () => {
    expect(names(await ask({ from: text(60), to: text(30) }))).toEqual(['t60', 'e45']);
    expect(names(await ask({ from: text(45), to: text(30) }))).toEqual(['', 'e45']);
    expect(names(await ask({ from: String(ago(60)), to: String(ago(29)) }))).toEqual(['t30,t60', 'e30,e45']);
  });

  it('says how much of that time anybody looked, and since when there is a record', async () => {
    store.covered({
      cluster: 'eu-west-3',
      kind: null,
      at: ago(150),
      observed: false,
      state: 'unreachable',
      reason: null,
    });
    store.covered({ cluster: 'eu-west-3', kind: null, at: ago(75), observed: true, state: 'live', reason: null });
    expect(await ask({ from: text(300), to: text(60) })).toMatchObject({
      observed: 1 - 75 / 240,
      recordedSince: text(600),
    });
  });

  it('counts nothing as looked at after the last word that anybody vouches for', async () => {
    const answer = await answerTo({ from: text(300), to: text(60) }, ago(120));
    expect(answer).toMatchObject({ observed: 180 / 240 });
    for (const [minutes, observed] of [
      [60, 1],
      [299, 1 / 240],
      [300, 0],
      [301, 0],
    ] as const)
      expect(await answerTo({ from: text(300), to: text(60) }, ago(minutes))).toMatchObject({ observed });
  });

  it('says nothing of the share of what was not there', async () => {
    expect((await ask({ from: text(500), to: text(400) })).observed).toBeNull();
  });

  it.each([
    ['a time that is none', { from: 'soon' }, 'bad-period'],
    ['an end before its beginning', { from: text(1), to: text(2) }, 'bad-period'],
    ['the future', { from: text(-1) }, 'bad-period'],
    ['a cluster of which nothing is known', { cluster: 'nowhere' }, 'not-there'],
    ['one of several of which nothing is known', { cluster: 'eu-west-3,nowhere' }, 'not-there'],
  ])('%s is told apart', async (_what, question, type) => {
    expect(await answerTo(question)).toMatchObject({ type });
  });
});

describe('what cannot be told', () => {
  it.each([
    [{ from: 'soon' }, '"soon" cannot be read as a time.'],
    [{ to: 'late' }, '"late" cannot be read as a time.'],
    [{ from: 'soon', to: 'late' }, '"soon" cannot be read as a time.'],
    [{ from: text(1), to: text(2) }, 'The beginning is not before the end.'],
    [{ from: text(1_101 * 24 * 60) }, 'The beginning is more than 1,100 days before the end.'],
    [{ from: text(0) }, 'The beginning is not in the past.'],
  ])('%j', async (question, message) => {
    expect(await answerTo(question)).toEqual({ type: 'bad-period', message });
  });

  it('is told with the names that are near', async () => {
    expect(await answerTo({ cluster: 'eu-west-3,eu-wst-3' })).toEqual({
      type: 'not-there',
      names: [{ parameter: 'cluster', value: 'eu-wst-3', nearest: ['eu-west-3'] }],
    });
  });

  it('of a moment: that its store is not there, or fails', async () => {
    const fleetCache = createFleetCache();
    const question = { from: '', to: '', last: '', cluster: '' };
    const moment = sampleMoment(fleetCache);
    expect(await changedOf(moment, question)).toEqual({ type: 'unreadable' });
    const read = { ...moment, reader: () => reader };
    expect(await changedOf(read, question)).toMatchObject({ clusters: [], changes: [] });
    store.fail('disk I/O error');
    expect(await changedOf(read, question)).toEqual({ type: 'unreadable' });
  });

  it('of a moment: nothing is looked at after the last word of its clusters', async () => {
    turned(300, 'checkout');
    const fleetCache = createFleetCache();
    fleetCache.apply([
      { type: 'cluster', cluster: sampleCluster('eu-west-3', { validUntil: ago(75) }) },
      { type: 'object', object: sampleObject({ cluster: 'us-east-1', name: 'x' }) },
    ]);
    const moment = { ...sampleMoment(fleetCache), reader: () => reader };
    expect(await changedOf(moment, { from: text(300), to: '', last: '', cluster: '' })).toMatchObject({
      clusters: ['eu-west-3', 'us-east-1'],
      observed: 225 / 300,
      upToNow: true,
    });
  });
});

describe('more than a page can show', () => {
  it.each([
    [400, 400, null],
    [401, 399, text(10 + 39.9)],
  ])('of %i changes shows %i', async (count, shown, back) => {
    for (let n = 0; n < count; n += 1) edited(10 + n / 10, `e${n}`);
    const found = await ask();
    expect([found.changes.length, found.back]).toEqual([shown, back]);
  });

  it('has of the moment at which it ends neither verdicts nor changes', async () => {
    for (let n = 0; n < 700; n += 1) turned(10 + n / 10, `t${n}`);
    edited(10 + 59.9, 'then');
    edited(10 + 59.8, 'after');
    expect(names(await ask())[1]).toBe('after');
  });

  it('is in order, whichever cluster it is of', async () => {
    for (const [minutes, cluster] of [
      [5, 'eu-west-3'],
      [4, 'us-east-1'],
      [3, 'eu-west-3'],
    ] as const) {
      const at = ago(minutes);
      const ref = sampleRef({ name: `e${minutes}`, cluster });
      store.changed({ cluster, ref, at, notBefore: at, noticedAt: at, fact: { type: 'deleted' } });
    }
    store.covered({ cluster: 'us-east-1', kind: null, at: ago(600), observed: true, state: 'live', reason: null });
    expect(names(await ask({ cluster: 'us-east-1,eu-west-3' }))[1]).toBe('e3,e4,e5');
  });

  it('is asked of a few clusters at a time, however many are named', async () => {
    edited(30, 'e30');
    const cluster = ['eu-west-3', ...Array.from({ length: 500 }, (_, index) => `gone-${index}`)].join(',');
    for (const name of cluster.split(',').slice(1))
      store.covered({ cluster: name, kind: null, at: ago(600), observed: true, state: 'live', reason: null });
    const { changes } = reader;
    let [under, most, times] = [0, 0, 0];
    reader = {
      ...reader,
      async changes(range) {
        under += 1;
        times += 1;
        most = Math.max(most, under);
        const found = await changes(range);
        under -= 1;
        return found;
      },
    };
    const told = await ask({ cluster });
    expect([times, most, told.changes.map(({ ref }) => ref?.name)]).toEqual([501, 10, ['e30']]);
  });

  it('is shown back to a moment of which all is there, of verdicts and changes alike; the rest comes from there on', async () => {
    for (let n = 0; n < 700; n += 1) turned(10 + n / 10, `t${n}`);
    for (let n = 0; n < 50; n += 1) edited(10 + n * 2, `e${n}`);
    const first = await ask();
    expect(first.transitions).toHaveLength(599);
    expect(first).toMatchObject({ from: text(24 * 60), total: { transitions: 700, changes: 50 } });
    expect(first).toMatchObject({ back: text(10 + 59.9), crowded: false });
    expect(first.changes.every(({ at }) => at > (first.back ?? ''))).toBe(true);
    const rest = await ask({ from: first.from, to: String(Date.parse(first.back ?? '') + 1) });
    expect(rest.back).toBeNull();
    expect(first.transitions.length + rest.transitions.length).toBe(700);
    expect(first.changes.length + rest.changes.length).toBe(50);
  });

  it('says so where one moment alone is too much', async () => {
    for (let n = 0; n < 700; n += 1) turned(10, `t${n}`);
    turned(20, 'before');
    const found = await ask();
    expect(found.transitions).toHaveLength(600);
    expect(found).toMatchObject({ back: text(10), crowded: true });
    expect(names(await ask({ from: found.from, to: found.back ?? '' }))).toEqual(['before', '']);
  });
});
