import { expect, it } from 'vitest';
import { AbsenceFilter } from '#lib/api/absence.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { hour } from '#lib/domain/time/length.ts';
import type { CalledQuestion } from '#server/store/port/alarm-port.ts';
import { readRecord } from '#server/store/record/record.ts';
import { given } from '../testing/moment.ts';
import { sampleNow } from '../testing/sample.ts';
import { linksOf } from '../wire/wire-context.ts';
import { absenceList } from './absence-list.ts';

it.each([
  [{}, {}],
  [{ verdict: 'stale,diverged' }, { worst: ['diverged', 'stale'] }],
  [{ open: 'true' }, { over: { by: sampleNow, is: false } }],
  [
    { open: 'false', verdict: 'drifted' },
    { over: { by: sampleNow, is: true }, worst: ['drifted'] },
  ],
])('the record itself narrows down who was called for what: %o', async (filter, expected) => {
  const asked: CalledQuestion[] = [];
  const record = readRecord({ absences: [] });
  const list = await absenceList({
    record: {
      ...record,
      absencesCalled: async (_scope, _period, question) => (asked.push(question), { items: [], next: null }),
    },
    filter: AbsenceFilter.parse({ called: 'never', ...filter }),
    scopes: [{ clusters: null }],
    period: { from: sampleNow - hour, to: sampleNow },
    find: () => null,
    context: { policy: defaultPolicy, now: sampleNow, links: linksOf([]) },
  });
  expect(given(list).rows).toEqual([]);
  const { alarmWithin } = defaultPolicy;
  const page = { alarmWithin, called: ['never'], order: 'newest', cursor: null, limit: 100 };
  expect(asked).toEqual([{ ...page, ...expected }]);
});
