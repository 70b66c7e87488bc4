import { expect, it } from 'vitest';
import { z } from 'zod';
import { endpoint } from '#lib/api/endpoint.ts';
import type { Asked } from './asked.ts';
import { refuse, type Refused } from './http/problem.ts';
import { notThereIn, sent } from './sent.ts';
import type { PageMoment } from './web-runtime.ts';

const names = [{ parameter: 'cluster' as const, value: 'c2', nearest: ['c1'] }];
const query = z.object({ page: z.coerce.number().default(1) });
const answer = z.object({ of: z.number() });
const described = endpoint({ path: '/api/v1/x', summary: '', query, answer, name: 'X', at: false });

/** A page's moment at which the endpoint is refused, or answers with the page that was asked for. */
function sentWith(params: Readonly<Record<string, string>>, refusal: Refused | null = null) {
  const asked: Asked<null, typeof query, typeof answer> = {
    described,
    ask: (_moment, { page }) => refusal ?? { of: page },
    ofPast: null,
  };
  const moment: PageMoment<null> = {
    summary: () => Promise.reject(new Error('This test has none.')),
    ask: async (to, of) => to.ask(null, of),
  };
  return sent(moment, asked, params);
}

it('a page is sent with the answer to its parameters, and with these as they were given', async () => {
  expect(await sentWith({ page: '2' })).toEqual({ params: { page: '2' }, answer: { of: 2 }, notThere: [] });
  expect(await sentWith({})).toEqual({ params: {}, answer: { of: 1 }, notThere: [] });
});

it('a page has no answer where its parameters cannot be read', async () => {
  expect(await sentWith({ page: 'X' })).toEqual({ params: { page: 'X' }, answer: null, notThere: [] });
});

it('a page tells the names that it was refused for, and of another refusal nothing', async () => {
  expect(await sentWith({}, refuse({ type: 'not-there', names }))).toMatchObject({ answer: null, notThere: names });
  const notReady = refuse({ type: 'not-ready', message: '' });
  expect(await sentWith({}, notReady)).toMatchObject({ answer: null, notThere: [] });
  expect(notThereIn(refuse({ type: 'not-there', names }))).toEqual(names);
  expect(notThereIn(notReady)).toEqual([]);
  expect(notThereIn({ of: 1 })).toEqual([]);
});
