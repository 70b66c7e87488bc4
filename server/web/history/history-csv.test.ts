import { expect, it } from 'vitest';
import { HistoryQuery, type WireHistory } from '#lib/api/history.ts';
import { historyCsv } from './history-csv.ts';

const [day1, day2, day3] = ['2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z', '2026-11-03T00:00:00.000Z'];

const row: WireHistory['lanes'][number]['rows'][number] = {
  state: 'diverged',
  from: day2,
  to: day3,
  objects: 1,
  of: 2,
  steady: false,
  reason: 'BuildFailed',
  commit: 'c0ffee',
  onset: { time: day1, bound: 'at-least' },
};
const bareRow = { ...row, state: 'absent' as const, steady: true, reason: null, commit: null, onset: null };

function page(rest: Partial<WireHistory>, rows = [row]): WireHistory {
  const lane = { key: 'lane', title: '', note: '', objects: 1, href: '', history: null, marks: [], rowsTotal: 1 };
  return {
    asOf: day3,
    from: day1,
    to: day3,
    askedFrom: day1,
    recordedSince: null,
    tooMany: false,
    by: 'object',
    lanes: [{ ...lane, rows, existed: 0, observed: 0, converged: 0 }],
    total: 1,
    nextCursor: null,
    earlier: [],
    ...rest,
  };
}

/** The lines after the first of the pages that are given, and what was asked for each. */
async function csv(query: Partial<HistoryQuery>, ...pages: readonly WireHistory[]) {
  const asked: unknown[] = [];
  const ask = ({ limit, rows, cursor }: HistoryQuery): Promise<WireHistory> => {
    const found = pages[asked.push([limit, rows, cursor]) - 1];
    return found ? Promise.resolve(found) : Promise.reject(new Error('no such page'));
  };
  const text = (await Array.fromAsync(historyCsv({ ...HistoryQuery.parse({}), ...query }, ask))).join('');
  const [head, ...lines] = text.trimEnd().split('\r\n');
  return { asked, head, lines };
}

const whole = Number.MAX_SAFE_INTEGER;

it('a file has every row of every lane, page by page', async () => {
  const { asked, head, lines } = await csv(
    { cluster: 'a,b', limit: 1, rows: 2, cursor: 'x' },
    page({ by: 'cluster', nextCursor: 'next' }),
    page({ by: 'cluster' }, [bareRow]),
  );
  expect(head).toBe('cluster,lane,state,from,to,milliseconds,objects,of,steady,reason,commit,onset,bound');
  expect(lines).toEqual([
    `lane,,diverged,${day2},${day3},86400000,1,2,false,BuildFailed,c0ffee,${day1},at-least`,
    `lane,,absent,${day2},${day3},86400000,1,2,true,,,,`,
  ]);
  expect(asked).toEqual([
    [60, whole, ''],
    [60, whole, 'next'],
  ]);
});

it('of one cluster it has all lanes at once', async () => {
  const { asked, lines } = await csv({ cluster: 'a' }, page({}, [bareRow]));
  expect([asked, lines]).toEqual([[[whole, whole, '']], [`a,lane,absent,${day2},${day3},86400000,1,2,true,,,,`]]);
});

it('time that is too much to be read at once is not read', async () => {
  const part = await csv({ cluster: 'a' }, page({ from: day2 }, [bareRow]));
  expect(part.lines[0]).toBe(`a,lane,not-read,${day1},${day2},86400000,,,,,,,`);
  const none = await csv({}, page({ tooMany: true, lanes: [] }));
  expect(none.lines).toEqual([`,,not-read,${day1},${day3},172800000,,,,,,,`]);
});
