import { expect, it } from 'vitest';
import type { DateSample } from '#lib/domain/time/clock-skew.ts';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { datedLink } from './connection.ts';
import type { Link } from './link.ts';

const date = 'Sat, 21 Nov 2026 12:00:00 GMT';

/** Answers each request after a second with these headers. */
function told(headers: Readonly<Record<string, string>>): { samples: readonly DateSample[]; heard: readonly string[] } {
  const clock = fakeClock();
  const heard: string[] = [];
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
    head: (status) => heard.push(`head ${status}`),
    data: (chunk) => heard.push(`data ${chunk.toString()}`),
    end: (lost) => heard.push(`end ${lost}`),
  });
  return { samples, heard };
}

it('tells of the Date of an answer, and hands on the answer as it is', () => {
  const { samples, heard } = told({ date });
  expect(samples.map((one) => [one.date, one.receivedAt - one.sentAt])).toEqual([[Date.UTC(2026, 10, 21, 12), 1_000]]);
  expect(heard).toEqual(['head 200', 'data {}', 'end null']);
});

it.each([{}, { date: 'soon' }, { date, age: '37' }])('tells nothing by the headers %j', (headers) => {
  const { samples, heard } = told(headers);
  expect(samples).toEqual([]);
  expect(heard).toHaveLength(3);
});
