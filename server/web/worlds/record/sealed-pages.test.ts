import { expect, it } from 'vitest';
import type { Transition } from '#lib/domain/record/current.ts';
import { hour } from '#lib/domain/time/length.ts';
import { checkout, october, octoberHistory } from '../../report/testing/october.ts';
import { recorded } from '../../report/testing/recorded.ts';
import { pagesOf } from '../../history/record-pages.ts';
import { sightOf } from '../sight.ts';
import { recordWithin } from './record-within.ts';

const period = { from: october, to: october + 24 * hour };
const scope = { clusters: null };
const seen = { ...checkout, namespace: 'apps' };

/** Two changes of what is seen, with so many between them of what is not, as who sees one namespace has them. */
function record(between: number) {
  const refs = [seen, ...Array.from({ length: between }, () => ({ ...checkout, namespace: 'ops' })), seen];
  const transitions = refs.map((ref, place): Transition => ({
    ...{ ref, uid: ref.namespace, at: october + hour, noticedAt: october + hour + place, from: null, to: 'diverged' },
    ...{ bound: 'exact', reason: '', message: '', commit: null, attempted: null, rootCause: null },
  }));
  const sight = sightOf([{ clusters: [seen.cluster], namespaces: ['apps'] }]);
  return recordWithin(recorded({ ...octoberHistory, transitions }), () => sight);
}

it.each([0, 5])('a view pages by cursors that do not count what lies outside of it: %i between', async (between) => {
  const { transitions } = record(between);
  const first = await transitions(scope, period, { cursor: null, limit: 1 });
  expect(first.items).toMatchObject([{ ref: seen, noticedAt: october + hour + between + 1 }]);
  expect(first.next).toMatch(/^[\w-]{38,}$/);
  expect(Buffer.from(first.next ?? '', 'base64url').toString('latin1')).not.toContain(String(october).slice(0, 5));
  const again = await transitions(scope, period, { cursor: null, limit: 1 });
  expect(again.next).toBe(first.next);
  const last = await transitions(scope, period, { cursor: first.next, limit: 1 });
  expect(last).toMatchObject({ items: [{ ref: seen, noticedAt: october + hour }], next: null });
});

it.each(['', 'x', `${october}.3`, 'A'.repeat(80)])(
  'a cursor that nobody here has sealed is none: %s',
  async (cursor) => {
    const { transitions } = record(0);
    const read = () => transitions(scope, period, { cursor, limit: 1 });
    await expect(read()).rejects.toThrow('cursor');
    const outer = Buffer.from(JSON.stringify([0, cursor])).toString('base64url');
    expect(await pagesOf({ scopes: [scope], read: async () => read() }, outer, 1)).toBeNull();
  },
);
