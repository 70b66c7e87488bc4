import { describe, expect, it } from 'vitest';
import { CorrectionFilter } from '#lib/api/correction.ts';
import { AbsenceFilter } from '#lib/api/absence.ts';
import type { Correction } from '#lib/domain/record/current.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import type { Absence } from '#lib/domain/record/absence.ts';
import { hour } from '#lib/domain/time/length.ts';

import { readRecord } from '#server/store/record/record.ts';
import { badCursor } from '../http/problem.ts';
import { given } from '../testing/moment.ts';
import { badCommit, goodCommit, sampleDiverged, sampleNow, sampleRange, sampleRef } from '../testing/sample.ts';
import { linksOf } from '../wire/wire-context.ts';
import { correctionCsv, correctionList } from './correction-list.ts';
import { absenceCsv, absenceList } from './absence-list.ts';

const ago = (hours: number): number => sampleNow - hours * hour;
const period = { from: ago(48), to: sampleNow };

function absence(name: string, opened: number, closed: number | null, part: Partial<Absence> = {}): Absence {
  return {
    ref: sampleRef({ name }),
    uid: 'u',
    openedAt: ago(opened),
    bound: 'exact',
    noticedAt: ago(opened),
    closedAt: closed === null ? null : ago(closed),
    ended: closed === null ? null : 'converged',
    worst: 'diverged',
    reason: 'BuildFailed',
    rootCause: null,
    range: sampleRange,
    ...part,
  };
}

const absences = [
  absence('checkout', 40, 30),
  absence('web', 20, 18, { worst: 'stale', reason: 'ControllerDead', range: null }),
  absence('mail', 8, null, { bound: 'at-least' }),
];

function question(filter: Partial<AbsenceFilter>, now = sampleNow) {
  return {
    record: readRecord({ absences }),
    filter: AbsenceFilter.parse(filter),
    scopes: [{ clusters: null }],
    period: { ...period, to: now },
    find: (ref: { name: string }) => (ref.name === 'mail' ? sampleDiverged(ref) : null),
    context: { policy: defaultPolicy, now, links: linksOf([]) },
  };
}

const names = async (filter: Partial<AbsenceFilter>, now?: number): Promise<string[]> =>
  given(await absenceList(question(filter, now))).rows.map(({ ref, worst, closedAt }) =>
    [ref.name, worst, closedAt === null ? 'lasts' : 'over'].join(' '),
  );

const minutes = (n: number): number => n / 60;

it.each<[what: string, opened: number, closed: number | null, query: string]>([
  [
    'an hour before it began, as long as 10 h take',
    20,
    10,
    'from=2026-11-20T05%3A00%3A00Z&to=2026-11-20T17%3A00%3A00Z',
  ],
  ['ten minutes, of a short one', 5, 4.5, 'from=2026-11-20T20%3A50%3A00Z&to=2026-11-20T21%3A40%3A00Z'],
  ['still, of one that lasts', 20, null, 'from=2026-11-20T04%3A00%3A00Z'],
  ['still, where its margin ends now', minutes(60), minutes(10), 'from=2026-11-21T00%3A50%3A00Z'],
  [
    'up to the last second before',
    minutes(60),
    (10 * 60 + 1) / 3600,
    'from=2026-11-21T00%3A50%3A00Z&to=2026-11-21T01%3A59%3A59Z',
  ],
])('the timeline of an absence is shown %s', async (_what, opened, closed, query) => {
  const record = readRecord({ absences: [absence('web', opened, closed)] });
  const { rows } = given(await absenceList({ ...question({}), record }));
  expect(rows[0]?.links.history.split('name=web&')[1]).toBe(query);
});

it('an absence that was closed at this very moment is known to be', async () => {
  expect(await names({ open: 'false' }, ago(18))).toEqual(['web stale over', 'checkout diverged over']);
});

it('a file of absences is made a hundred lines at once, with how many commits nobody watched', async () => {
  const range = { ...sampleRange, seenBetween: 2 };
  const many = Array.from({ length: 1_001 }, (_, n) => absence(`app-${n}`, 10, 9, { range }));
  const pieces: string[] = [];
  for await (const piece of absenceCsv({ ...question({}), record: readRecord({ absences: many }) })) pieces.push(piece);
  const lines = pieces.map((piece) => piece.split('\r\n').filter((line) => line.startsWith('eu-west-3,')));
  expect(lines.map(({ length }) => length).filter((length) => length > 0)).toEqual([
    ...Array.from({ length: 10 }, () => 100),
    1,
  ]);
  expect(lines.at(-1)?.[0]).toMatch(/,2,true,,,$/);
});

describe('absences', () => {
  it.each<[Partial<AbsenceFilter>, string[]]>([
    [{}, ['mail diverged lasts', 'web stale over', 'checkout diverged over']],
    [{ order: 'longest' }, ['checkout diverged over', 'mail diverged lasts', 'web stale over']],
    [{ verdict: 'stale,unhealthy' }, ['web stale over']],
    [{ open: 'true' }, ['mail diverged lasts']],
    [{ open: 'false' }, ['web stale over', 'checkout diverged over']],
  ])('%j', async (filter, found) => {
    expect(await names(filter)).toEqual(found);
  });

  it('of which the end was not known yet, last', async () => {
    expect(await names({}, ago(19))).toEqual(['web stale lasts', 'checkout diverged over']);
  });

  it('tell between which commits it broke, where it failed itself, and where they lead', async () => {
    const { rows } = given(await absenceList(question({})));
    expect(rows.map(({ range, alarm }) => [range?.lastGood?.commit, range?.firstBad?.commit, alarm])).toEqual([
      [goodCommit, badCommit, 'silent'],
      [undefined, undefined, null],
      [goodCommit, badCommit, null],
    ]);
    expect(rows[0]?.range?.firstBad?.href).toBe(`https://github.com/acme/control-repo/commit/${badCommit}`);
    expect(rows[0]?.links.history).toMatch(/^\/history\?cluster=eu-west-3&.*name=mail&from=2026-11-20T17%3A12%3A00Z$/);
  });

  it('do not call the commit bad that runs well', async () => {
    const range = { ...sampleRange, firstBad: sampleRange.lastGood };
    const same = absence('api', 5, 4, { range });
    const list = given(await absenceList({ ...question({}), record: readRecord({ absences: [same] }) }));
    expect(list.rows[0]?.range?.text).toBe('failed at 2d81a0c, where it had worked before');
  });

  it('come page by page, also where a filter keeps few, and are counted over all', async () => {
    const first = given(await absenceList(question({ limit: 1, verdict: 'diverged' })));
    expect(first.rows.map(({ ref }) => ref.name)).toEqual(['mail']);
    expect(first.figures).toEqual({
      opened: 3,
      openAtStart: 0,
      closed: 2,
      closedFromBefore: 0,
      gone: 0,
      open: 1,
      medianToConverge: 2 * hour,
      medianToConvergeAtLeast: false,
    });
    const second = given(
      await absenceList(question({ limit: 1, verdict: 'diverged', cursor: first.nextCursor ?? '' })),
    );
    expect(second.rows.map(({ ref }) => ref.name)).toEqual(['checkout']);
    expect(second.nextCursor).toBeNull();
  });

  it.each(['x', 'WzAsMV0', '-1'])('refuse the cursor %s', async (cursor) => {
    expect(await absenceList(question({ cursor }))).toEqual(badCursor);
  });

  it('are all in the file, with how long they took', async () => {
    const lines: string[] = [];
    for await (const piece of absenceCsv(question({ limit: 1 }))) lines.push(...piece.split('\r\n').filter(Boolean));
    expect(lines).toHaveLength(4);
    expect(lines[1]).toContain('mail,diverged,BuildFailed');
    expect(lines[0]).toMatch(/,cause,lastGood,firstBad,seenBetween,everyAttemptSeen,alarm,brokenLink,alarmUnknown$/);
    expect(lines[1]).toContain(`,main@sha1:${goodCommit},main@sha1:${badCommit},0,true`);
    expect(lines[2]).toMatch(/web,stale,ControllerDead,.*,converged,7200,/);
  });
});

const corrected = (name: string, hours: number, part: Partial<Correction> = {}) => ({
  ref: sampleRef({ name }),
  correction: {
    at: ago(hours),
    certainty: 'confirmed' as const,
    said: 'ConfigMap/apps/x configured',
    count: 1,
    ...part,
  },
});

const corrections = [
  corrected('checkout', 30),
  corrected('checkout', 20, { certainty: 'contested', count: 25 }),
  corrected('web', 3, { certainty: 'probable', count: 2 }),
];

function ledger(filter: Partial<CorrectionFilter>) {
  return {
    record: readRecord({ corrections }),
    filter: CorrectionFilter.parse(filter),
    scopes: [{ clusters: null }],
    period,
    context: { now: sampleNow },
  };
}

describe('the ledger of corrections', () => {
  it('has the newest first, every day of the period, and what drifts most', async () => {
    const list = given(await correctionList(ledger({})));
    expect(list.rows.map(({ ref, count }) => [ref.name, count])).toEqual([
      ['web', 2],
      ['checkout', 25],
      ['checkout', 1],
    ]);
    expect(list.days).toEqual([
      { day: '2026-11-19T00:00:00.000Z', confirmed: 1, probable: 0, contested: 0 },
      { day: '2026-11-20T00:00:00.000Z', confirmed: 0, probable: 2, contested: 25 },
      { day: '2026-11-21T00:00:00.000Z', confirmed: 0, probable: 0, contested: 0 },
    ]);
    expect(list.most.map(({ ref, count, contested }) => [ref.name, count, contested])).toEqual([
      ['checkout', 26, 25],
      ['web', 2, 0],
    ]);
    expect(list.mostOf).toBeNull();
  });

  it('keeps one certainty', async () => {
    const list = given(await correctionList(ledger({ certainty: 'contested' })));
    expect(list.rows.map(({ certainty }) => certainty)).toEqual(['contested']);
  });

  it('is all in the file', async () => {
    let text = '';
    for await (const piece of correctionCsv(ledger({}))) text += piece;
    expect(text.split('\r\n')).toHaveLength(5);
    expect(text).toContain('contested,25,ConfigMap/apps/x configured');
  });
});

it('a ledger has no day that begins at its end, and names the ten that drift most', async () => {
  const many = Array.from({ length: 11 }, (_, n) => corrected(`app-${n}`, 3, { count: 20 - n }));
  const midnight = Date.UTC(2026, 10, 21);
  const list = given(
    await correctionList({
      ...ledger({}),
      record: readRecord({ corrections: many }),
      period: { from: midnight - 24 * hour, to: midnight },
    }),
  );
  expect(list.days).toEqual([{ day: '2026-11-20T00:00:00.000Z', confirmed: 165, probable: 0, contested: 0 }]);
  expect(list.most.map(({ ref, count, href }) => [ref.name, count, href.split('name=')[1]])).toEqual(
    Array.from({ length: 10 }, (_, n) => {
      return [`app-${n}`, 20 - n, `app-${n}&from=2026-11-20T00%3A00%3A00Z&to=2026-11-21T00%3A00%3A00Z`];
    }),
  );
});

it.each([
  [10_000, null],
  [10_001, 10_000],
])('of %i corrections it says from how many of the newest the most are counted: %s', async (count, mostOf) => {
  const many = Array.from({ length: count }, (_, n) => corrected('app', 3, { at: ago(3) - n }));
  const list = given(await correctionList({ ...ledger({}), record: readRecord({ corrections: many }) }));
  expect([list.mostOf, list.most.map((one) => one.count)]).toEqual([mostOf, [10_000]]);
});
