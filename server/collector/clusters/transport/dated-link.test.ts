import { expect, it } from 'vitest';
import type { DateSample } from '#lib/domain/time/clock-skew.ts';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { datedLink } from './connection.ts';
import type { Link } from './link.ts';

const date = 'Sat, 21 Nov 2026 12:00:00 GMT';

/** Answers each request after a second with these headers. */
function sent(headers: Readonly<Record<string, string>>): { samples: readonly DateSample[]; said: readonly string[] } {
  const clock = fakeClock();
  const said: string[] = [];
  const samples: DateSample[] = [];
  const link: Link = {
    protocol: 'http/1.1',
    room: () => true,
    open(_request, _use, exchange) {
      clock.advance(1_000);
      exchange.head(200, (name) => headers[name] ?? null);
      exchange.data(Buffer.from('{}'));
      exchange.end(null);
      return () => undefined;
    },
    drain: () => undefined,
    close: () => undefined,
  };
  const dated = datedLink(link, clock, (sample) => samples.push(sample));
  dated.open({ path: '/version', headers: {}, review: null }, 'get', {
    head: (status) => said.push(`head ${status}`),
    data: (chunk) => said.push(`data ${chunk.toString()}`),
    end: (lost) => said.push(`end ${lost}`),
  });
  return { samples, said };
}

it('tells of the Date of an answer, and hands on the answer as it is', () => {
  const { samples, said } = sent({ date });
  expect(samples.map((one) => [one.date, one.receivedAt - one.sentAt])).toEqual([[Date.UTC(2026, 10, 21, 12), 1_000]]);
  expect(said).toEqual(['head 200', 'data {}', 'end null']);
});

it.each([
  {},
  { date: 'soon' },
  { date, age: '37' },
  { date: 'Sat, 13 Sep 275760 00:00:00 GMT' },
  { date: '-271821-04-20T00:00:00Z' },
  { date: 'Wed, 31 Dec 1969 23:59:59 GMT' },
])('tells nothing by the headers %j', (headers) => {
  const { samples, said } = sent(headers);
  expect(samples).toEqual([]);
  expect(said).toHaveLength(3);
});
