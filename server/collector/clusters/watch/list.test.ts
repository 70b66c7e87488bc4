import { expect, it } from 'vitest';
import { failure } from '../answer.ts';
import { fakeTransport } from '../testing/fake-transport.ts';
import { settled } from '../testing/until.ts';
import { defaultTuning } from '../tuning.ts';
import { listAll } from './list.ts';

const small = { ...defaultTuning, pageLimit: 20, answerBytes: 1_000, listPagesAtMost: 12, listTimeout: 30_000 };
const page = (name: string, next = '', resourceVersion = '20') => ({
  kind: 'ThingList',
  metadata: { resourceVersion, continue: next },
  items: [{ apiVersion: 'v1', kind: 'Thing', metadata: { name } }],
});

const full = failure({ type: 'protocol', message: 'it is full' });

/** A list under way: what was asked, what was told, and how it ends. */
function listing({ cached = false, selector = '', tuning = small, room = Infinity, eachTakes = 0 } = {}) {
  const watch = { ms: 0 };
  const transport = fakeTransport();
  const told: string[] = [];
  const ended = listAll({
    ...{ transport, tuning, cached, selector, path: '/api/v1/things', apiVersion: 'v1', kind: 'Thing' },
    signal: new AbortController().signal,
    onStart: () => void told.push('start'),
    onObject(object) {
      if (told.length > room) return full;
      watch.ms += eachTakes;
      told.push(JSON.stringify(object['metadata']));
      return null;
    },
    others: () => Promise.resolve(void told.push('others')),
    stopwatch: () => watch.ms,
  });
  /** Answers the newest question, `times` times in a row. */
  const answer = async (how: (get: (typeof transport.gets)[number]) => void, times = 1): Promise<void> => {
    for (let n = 0; n < times; n++) {
      await settled();
      const get = transport.gets.at(-1);
      if (get) how(get);
    }
  };
  return {
    told,
    ended,
    answer,
    asked: () => transport.gets.map(({ path, options }) => [path, options.most]),
    gets: transport.gets,
  };
}

const tooLarge = { type: 'too-large' } as const;

it('asks the cache for all at once, and in pages, ever smaller ones, where that is too large', async () => {
  const { told, ended, answer, asked } = listing({ cached: true, selector: 'fieldSelector=x' });
  await answer((get) => get.answer(tooLarge), 2);
  await answer((get) => get.ok(page('a', 'n')));
  await answer((get) => get.answer(tooLarge));
  await answer((get) => get.ok(page('b')));
  expect(await ended).toEqual({ type: 'ok', resourceVersion: '20' });
  expect(told).toEqual(['start', '{"name":"a"}', '{"name":"b"}']);
  expect(asked()).toEqual([
    ['/api/v1/things?limit=20&resourceVersion=0&fieldSelector=x', 1_000],
    ['/api/v1/things?limit=20&fieldSelector=x', 1_000],
    ['/api/v1/things?limit=2&fieldSelector=x', 1_000],
    ['/api/v1/things?limit=2&continue=n&fieldSelector=x', 1_000],
    ['/api/v1/things?limit=1&continue=n&fieldSelector=x', 1_000],
  ]);
});

it('gives up on an object that is too large alone', async () => {
  const { ended, answer, asked } = listing();
  await answer((get) => get.answer(tooLarge), 3);
  expect(await ended).toEqual(failure({ type: 'protocol', message: 'one Thing is larger than 1.0 kB' }));
  expect(asked().map(([path]) => path)).toEqual(['20', '2', '1'].map((limit) => `/api/v1/things?limit=${limit}`));
});

it('starts anew three times where its token expires, no longer of the cache', async () => {
  const { told, ended, answer, asked } = listing({ cached: true });
  for (let n = 0; n < 4; n++) {
    await answer((get) => get.ok(page('a', 'n')));
    await answer((get) => get.status(410));
  }
  const message = 'the list expired again and again before its last page';
  expect(await ended).toEqual(failure({ type: 'protocol', message }));
  expect(told.filter((each) => each === 'start')).toHaveLength(4);
  expect(asked().map(([path]) => path)).toEqual([
    '/api/v1/things?limit=20&resourceVersion=0',
    ...Array.from({ length: 7 }, (_, n) => `/api/v1/things?limit=20${n % 2 === 0 ? '&continue=n' : ''}`),
  ]);
});

it.each([
  ['HTTP 410 before any token', 410],
  ['another status', 500],
])('fails with %s', async (_what, status) => {
  const { ended, answer } = listing();
  await answer((get) => get.status(status));
  expect(await ended).toEqual(failure({ type: 'server', status, message: `HTTP ${status}` }));
});

it('fails with another status after a token too', async () => {
  const { ended, answer } = listing();
  await answer((get) => get.ok(page('a', 'n')));
  await answer((get) => get.status(500));
  expect(await ended).toMatchObject({ type: 'fault', fault: { status: 500 } });
});

it.each([
  ['a list was answered with HTTP 304', { type: 'not-modified' }],
  ['the list has no resourceVersion', { type: 'ok', body: page('a', '', ''), etag: null, bytes: 7 }],
  [
    'the server sent Table where a ThingList was asked for',
    { type: 'ok', body: { kind: 'Table' }, etag: null, bytes: 7 },
  ],
] as const)('"%s" is its fault', async (message, answered) => {
  const { ended, answer } = listing();
  await answer((get) => get.answer(answered));
  expect(await ended).toEqual(failure({ type: 'protocol', message }));
});

it('of a real cluster is first asked for in one piece, then in pages of 500 objects, 8 MB and a minute each', async () => {
  const { answer, gets, ended } = listing({ cached: true, tuning: defaultTuning });
  await answer((get) => get.answer(tooLarge));
  await answer((get) => get.ok(page('a')));
  await ended;
  expect(gets.map(({ path, options: { most, timeout } }) => [path, most, timeout])).toEqual([
    ['/api/v1/things?limit=500&resourceVersion=0', 8_000_000, 60_000],
    ['/api/v1/things?limit=500', 8_000_000, 60_000],
  ]);
});

it('ends where its pages do not', async () => {
  const { ended, answer, told } = listing();
  await answer((get) => get.ok({ ...page('a', 'n'), items: [] }), 12);
  expect(await ended).toEqual(failure({ type: 'protocol', message: 'its list of Thing has more than 12 pages' }));
  expect(told).toEqual(['start']);
});

it('ends where all of it is too large', async () => {
  const { ended, answer, gets } = listing({ tuning: { ...small, listBytesAtMost: 200 } });
  await answer((get) => get.ok(page('a', 'n')), 12);
  expect(await ended).toEqual(failure({ type: 'protocol', message: 'its list of Thing is larger than 200 bytes' }));
  expect(gets).toHaveLength(2);
});

it('ends where there is no more room', async () => {
  const { ended, answer, told } = listing({ room: 2 });
  await answer((get) => get.ok(page('a', 'n')), 3);
  expect(await ended).toEqual(full);
  expect(told).toEqual(['start', '{"name":"a"}', '{"name":"a"}']);
});

it('takes no page of more objects than a cluster may have, and makes nothing of them', async () => {
  const { ended, answer, told } = listing({ tuning: { ...small, objectsAtMost: 2 } });
  await answer((get) => get.ok({ ...page('a'), items: [{}, {}, {}] }));
  const message = 'a list of 3 objects; at most 2 are read of one cluster';
  expect(await ended).toEqual(failure({ type: 'protocol', message }));
  expect(told).toEqual([]);
});

it('lets others come to their turn between two hundred objects', async () => {
  const { ended, answer, told } = listing();
  const items = Array.from({ length: 401 }, (_, n) => ({ metadata: { name: String(n) } }));
  await answer((get) => get.ok({ ...page('a'), items }));
  await ended;
  expect(told.flatMap((each, index) => (each === 'others' ? [index] : []))).toEqual([201, 402]);
});

it('lets others come to their turn after 50 ms, however few objects that were', async () => {
  const { ended, answer, told } = listing({ eachTakes: 30 });
  const items = Array.from({ length: 5 }, (_, n) => ({ metadata: { name: String(n) } }));
  await answer((get) => get.ok({ ...page('a'), items }));
  await ended;
  expect(told.flatMap((each, index) => (each === 'others' ? [index] : []))).toEqual([3, 6]);
});

it.each([
  ['too long', 'n'.repeat(16_385)],
  ['far too long', 'n'.repeat(2_000_000)],
])('takes no continue token that is %s', async (_how, token) => {
  const { ended, answer } = listing();
  await answer((get) => get.ok(page('a', token)));
  const message = 'the server sent a list with a continue token that cannot be handed back';
  expect(await ended).toEqual(failure({ type: 'protocol', message }));
});

it('hands back no token that is not well formed', async () => {
  const { ended, answer, asked } = listing();
  await answer((get) => get.ok(page('a', '\ud800')));
  const message = 'the server sent a list with a continue token that cannot be handed back';
  expect(await ended).toEqual(failure({ type: 'protocol', message }));
  expect(asked()).toHaveLength(1);
});
