import { describe, expect, it } from 'vitest';
import { failure } from '../answer.ts';
import { defaultTuning } from '../tuning.ts';
import type { Link } from './link.ts';
import { createLinkPool, type LinkPool } from './link-pool.ts';

const tuning = { ...defaultTuning, sessionsAtMost: 2, http1WatchesAtMost: 6 };
const never = new AbortController().signal;

/** A link with so much room; says what was done to it. */
function fakeLink(room: { watch: number; get: number }, protocol: Link['protocol'] = 'h2') {
  const done: string[] = [];
  const link: Link = {
    protocol,
    room: (use) => room[use] > 0,
    open: () => () => undefined,
    drain: () => void done.push('drained'),
    close: () => void done.push('closed'),
  };
  return { link, room, done };
}

/** A pool, and how often it asked for a further link. */
function poolOf(underWay = false) {
  const asked = { times: 0 };
  const pool = createLinkPool(tuning, { isUnderWay: () => underWay, open: () => void (asked.times += 1) });
  return { pool, asked };
}

function opened(pool: LinkPool, ...links: readonly Link[]): void {
  for (const link of links) {
    pool.add(link);
    pool.use(link);
  }
}

describe('a pool of links', () => {
  it('gives the first link in use that has room for the use', async () => {
    const { pool, asked } = poolOf();
    const [full, free] = [fakeLink({ watch: 0, get: 1 }), fakeLink({ watch: 1, get: 1 })];
    opened(pool, full.link, free.link);
    expect(await pool.acquire('watch', never)).toEqual({ type: 'ok', link: free.link });
    expect(await pool.acquire('get', never)).toEqual({ type: 'ok', link: full.link });
    expect([pool.size(), asked.times]).toEqual([2, 0]);
  });

  it('gives none that is not in use yet, was drained or is gone', async () => {
    const { pool, asked } = poolOf();
    const { link } = fakeLink({ watch: 1, get: 1 });
    pool.use(link);
    expect(pool.size()).toBe(0);
    pool.add(link);
    void pool.acquire('get', never);
    expect(asked.times).toBe(1);
    pool.use(link);
    pool.drained(link);
    void pool.acquire('get', never);
    expect([pool.size(), asked.times]).toEqual([1, 2]);
    expect([pool.remove(link), pool.size()]).toEqual([false, 0]);
    opened(pool, link);
    expect([pool.remove(link), pool.size()]).toEqual([true, 0]);
  });

  it('lets who waits have a link as soon as one has room', async () => {
    const { pool, asked } = poolOf();
    const waits = pool.acquire('watch', never);
    const { link, room } = fakeLink({ watch: 0, get: 0 });
    opened(pool, link);
    pool.serve();
    expect(asked.times).toBe(2);
    room.watch = 1;
    pool.serve();
    expect(await waits).toEqual({ type: 'ok', link });
  });

  it('asks for no second link while one is under way', () => {
    const { pool, asked } = poolOf(true);
    void pool.acquire('get', never);
    expect(asked.times).toBe(0);
  });

  it.each([
    ['h2', 2, '2 sessions are open already'],
    ['http/1.1', 1, 'only HTTP/1.1 is to be had, and 6 watches are open already'],
  ] as const)('over %s opens no more than it may, and says so', async (protocol, most, message) => {
    const { pool, asked } = poolOf();
    opened(pool, ...Array.from({ length: most }, () => fakeLink({ watch: 0, get: 0 }, protocol).link));
    expect(await pool.acquire('watch', never)).toEqual(failure({ type: 'protocol', message }));
    expect(asked.times).toBe(0);
  });

  it('lets nobody wait longer than who asked wants to, or when it is closed', async () => {
    const { pool } = poolOf();
    const asker = new AbortController();
    const waits = [pool.acquire('get', asker.signal), pool.acquire('get', never), pool.acquire('get', never)] as const;
    const refusal = failure({ type: 'unauthorized', message: 'no' });
    asker.abort();
    const unreachable = failure({ type: 'unreachable', message: 'the cluster cannot be reached' });
    expect(await waits[0]).toEqual(unreachable);
    expect(await pool.acquire('get', asker.signal)).toEqual(unreachable);
    pool.refuse(refusal);
    expect(await waits[1]).toEqual(refusal);
    const last = pool.acquire('get', never);
    const { link, done } = fakeLink({ watch: 0, get: 0 });
    opened(pool, link);
    pool.close();
    expect(await last).toEqual(failure({ type: 'unreachable', message: 'stopped' }));
    expect(await pool.acquire('get', never)).toEqual(unreachable);
    expect([done, pool.size()]).toEqual([['closed'], 0]);
  });

  it('drains the links in use to renew them, and leaves the drained alone', () => {
    const { pool } = poolOf();
    const [one, old] = [fakeLink({ watch: 1, get: 1 }), fakeLink({ watch: 1, get: 1 })];
    opened(pool, one.link, old.link);
    pool.drained(old.link);
    pool.renew();
    expect([one.done, old.done]).toEqual([['drained'], []]);
  });
});

it('of a real cluster takes 32 sessions, or 40 watches over HTTP/1.1', async () => {
  const further = { isUnderWay: () => false, open: () => undefined };
  const sessions = createLinkPool(defaultTuning, further);
  for (let n = 0; n < 31; n++) opened(sessions, fakeLink({ watch: 0, get: 0 }).link);
  const patient = sessions.acquire('watch', never);
  opened(sessions, fakeLink({ watch: 0, get: 0 }).link);
  const message = '32 sessions are open already';
  expect(await sessions.acquire('watch', never)).toMatchObject({ fault: { type: 'protocol', message } });
  sessions.serve();
  expect(await patient).toMatchObject({ fault: { message } });
  const plain = createLinkPool(defaultTuning, further);
  opened(plain, fakeLink({ watch: 0, get: 1 }, 'http/1.1').link);
  expect(await plain.acquire('watch', never)).toMatchObject({
    fault: { type: 'protocol', message: 'only HTTP/1.1 is to be had, and 40 watches are open already' },
  });
});
