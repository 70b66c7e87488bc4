import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Period } from '#lib/domain/record/span.ts';
import { day, hour } from '#lib/domain/time/length.ts';
import { dayOf } from '#lib/domain/time/utc-day.ts';
import { systemClock } from '#server/runtime/clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { kinds, randomHistory, randomOf, type Written } from '#test/contract/random-history.ts';
import { batchOf, noon, objectOf, refOf, transitionOf, withDetails } from '#test/contract/store-records.ts';
import { beginningOf, blockOf } from '../../../../codec/rollup-block.ts';
import { clusterSource, type StoreReader, type StoreWriter } from '../../../../port/port.ts';
import type { RecordScope } from '../../../../port/record-port.ts';
import { openSqliteWriter } from '../../../writing/writer.ts';
import { openSqliteReader } from '../../reader.ts';

const begins = dayOf(noon);
const scopes: readonly RecordScope[] = [
  { clusters: null },
  { clusters: null, kind: kinds[0] },
  { clusters: ['a', 'b'] },
  { clusters: ['c'], kind: kinds[1] },
];

/** Changes that somebody else makes to the store, beside what the writer does. */
const changes = [
  'DELETE FROM transition WHERE id = (SELECT MAX(id) - 40 FROM transition WHERE cluster = 2)',
  'DELETE FROM transition WHERE object = (SELECT MIN(object) FROM transition)',
  'UPDATE transition SET until = until + 1000 WHERE until IS NOT NULL AND id % 17 = 3',
  'UPDATE absence SET closed_at = closed_at + 7000 WHERE id % 11 = 5',
  'UPDATE absence SET closed_at = NULL, ended = NULL WHERE id = (SELECT MAX(id) - 9 FROM absence)',
  'DELETE FROM absence WHERE cluster = 1 AND id % 13 = 3',
  'DELETE FROM coverage WHERE cluster = 3 AND id % 9 = 2',
  'UPDATE incident SET closed_at = closed_at + 5000 WHERE id % 7 = 1',
  'UPDATE incident SET most_objects = most_objects + 5, members = members + 1 WHERE id % 9 = 4',
  'DELETE FROM incident WHERE id % 23 = 8',
  'DELETE FROM rollup_range WHERE cluster = 2',
  `UPDATE rollup_range SET to_day = to_day - ${2 * day} WHERE cluster = 1`,
];

describe('what is kept of figures', () => {
  let directory: string;
  let path: string;
  let writer: StoreWriter;
  let database: DatabaseSync;
  /** Long after whatever was asked last: one reading answers what is asked at about the same time. */
  let asked = 0;
  const clock = { ...systemClock, now: () => (asked += 60_000) };

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'plumbline-kept-'));
    path = join(directory, 'plumbline.db');
    const opened = openSqliteWriter({ path, log: silentLog, alarmWithin: hour });
    if ('type' in opened) throw new Error(opened.type);
    writer = opened;
    database = new DatabaseSync(path);
  });

  afterEach(async () => {
    database.close();
    await writer.close();
    rmSync(directory, { recursive: true });
  });

  async function opened(): Promise<StoreReader> {
    const reader = await openSqliteReader({ path, clock });
    if ('type' in reader) throw new Error(reader.type);
    return reader;
  }

  async function write(write: Written): Promise<void> {
    const lease = await writer.acquire(clusterSource(write.cluster), 'one', begins, 1000);
    if (lease === null) throw new Error('no lease');
    if ('batch' in write) await writer.write(lease, write.batch);
    else await writer.forget(lease, write.forgottenAt);
  }

  function questions({ record }: StoreReader, now: number): readonly (() => Promise<unknown>)[] {
    const today = dayOf(now);
    const periods = [
      { from: begins, to: now },
      { from: begins + 7 * hour, to: today },
      { from: today - 10 * day, to: now },
      { from: today - 9 * day + 5 * hour, to: today - 3 * day + 4 * hour + 7 },
      { from: today - 3 * day + hour, to: today - 3 * day + 20 * hour },
    ];
    return periods.flatMap((period) =>
      scopes.flatMap((scope) => [
        () => record.shares(scope, period, 'day'),
        () => record.shares(scope, period, 'cluster'),
        () => record.shares(scope, period, 'kind'),
        () => record.wallClock(scope, period, 5),
        () => record.wallClock(scope, period, 0),
        () => record.worst(scope, period, 5),
        () => record.objectCount(scope, period),
        () => record.absenceFigures(scope, period, hour),
        () => record.absenceFigures(scope, period, 5 * hour),
        () => record.causeFigures(scope, period, period.to - 1),
        () => record.alarmFigures(scope, period, hour),
      ]),
    );
  }

  /** Calls for some objects, some of them without a name, and a time in which their source could not be read. */
  function call(now: number, below: (count: number) => number): void {
    database.exec("INSERT OR IGNORE INTO fact_source (type, name) VALUES ('alarm-source', 'prom')");
    const source = "(SELECT id FROM fact_source WHERE type = 'alarm-source')";
    const cover = database.prepare(
      `INSERT OR IGNORE INTO alarm_coverage (fact_source, at, read, clusters) VALUES (${source}, ?, ?, '[]')`,
    );
    const since = now - below(6 * day);
    cover.run(begins, 1);
    cover.run(since, 0);
    cover.run(since + below(5 * hour), 1);
    database
      .prepare(
        `INSERT OR IGNORE INTO alarm_call (fact_source, key, alert, labels, attributed, receivers, starts_at, from_at, to_at, of_kind, of_name, reads_objects)
         SELECT ${source}, 'k' || a.id, 'Away', json_object('kind', substr(k.text, instr(k.text, '/') + 1), 'namespace', n.text,
           CASE WHEN a.id % 5 = 0 THEN 'team' ELSE 'name' END, o.name), c.name, '[]', 0, a.noticed_at + ?1,
           CASE WHEN a.id % 7 > 0 THEN a.noticed_at + ?1 + ?2 END, 'kustomization', o.name, 1
         FROM absence a JOIN object o ON o.id = a.object JOIN name k ON k.id = o.kind JOIN name n ON n.id = o.namespace
         JOIN fact_source c ON c.id = o.cluster WHERE a.id % 4 = ?3`,
      )
      .run(below(2 * hour), below(9 * hour), below(4));
    if (below(3) === 0) database.exec(`UPDATE alarm_call SET to_at = MAX(from_at, ${now}) WHERE to_at IS NULL`);
  }

  /** Calls that end, and times that cannot be read that begin or end, where blocks of days meet or a millisecond beside it. */
  function callAtBorders(now: number, below: (count: number) => number): void {
    const source = "(SELECT id FROM fact_source WHERE type = 'alarm-source')";
    const border = beginningOf(blockOf(now) - below(2)) + below(3) - 1;
    database
      .prepare(
        `INSERT OR IGNORE INTO alarm_call (fact_source, key, alert, labels, attributed, receivers, starts_at, from_at, to_at, of_kind, of_name, reads_objects)
         SELECT fact_source, 'border ' || key, alert, labels, attributed, receivers, starts_at, ?1 - ?2, ?1, of_kind, of_name, reads_objects
         FROM alarm_call WHERE id % 6 = ?3`,
      )
      .run(border, 1 + below(3 * day), below(6));
    const cover = database.prepare(
      `INSERT OR IGNORE INTO alarm_coverage (fact_source, at, read, clusters) VALUES (${source}, ?, ?, '[]')`,
    );
    cover.run(border - below(hour), 0);
    cover.run(border + below(2) * below(hour), 1);
  }

  /** Periods whose beginnings are those of the next midnights, and lie where blocks of days meet. */
  function periodsOfCalls(now: number): readonly Period[] {
    const border = beginningOf(blockOf(now));
    const from = [begins, begins + day, begins + 2 * day, border - 1, border, border + 1, border - 4 * day + 1];
    return from.map((start) => ({ from: start, to: now })).concat({ from: begins, to: dayOf(now) });
  }

  async function figuresOfCalls({ record }: StoreReader, periods: readonly Period[]): Promise<readonly unknown[]> {
    const found: unknown[] = [];
    for (const period of periods)
      for (const scope of scopes.slice(0, 3)) found.push(await record.alarmFigures(scope, period, hour));
    return found;
  }

  async function addsUp({ record }: StoreReader, period: Period): Promise<void> {
    const { called, silent, unknown } = await record.alarmFigures({ clusters: null }, period, hour);
    const { overdue } = await record.absenceFigures({ clusters: null }, period, hour);
    expect(called + silent + unknown).toBe(overdue);
  }

  /** Figures of calls as they are read from spans alone: of a copy in which no day is rolled up. */
  async function figuresOfSpans(periods: readonly Period[]): Promise<readonly unknown[]> {
    const copy = join(directory, 'copy.db');
    rmSync(copy, { force: true });
    database.exec(`VACUUM INTO '${copy}'`);
    const plain = new DatabaseSync(copy);
    plain.exec('DELETE FROM rollup_range');
    plain.close();
    const reader = await openSqliteReader({ path: copy, clock });
    if ('type' in reader) throw new Error(reader.type);
    const found = await figuresOfCalls(reader, periods);
    await reader.close();
    return found;
  }

  async function answersOf(questions: readonly (() => Promise<unknown>)[]): Promise<readonly unknown[]> {
    const answers: unknown[] = [];
    for (const ask of questions) answers.push(await ask());
    return answers;
  }

  it.each([3, 5])(
    'is what a reader that keeps nothing reads, whatever happens between two questions (%i)',
    async (seed) => {
      const random = randomOf(seed);
      const below = (count: number): number => Math.floor(random() * count);
      const { writes } = randomHistory(seed, begins, 480);
      const keeping = await opened();
      let now = begins;
      const told: (readonly unknown[])[] = [];
      const expected: (readonly unknown[])[] = [];
      for (const [index, one] of writes.entries()) {
        await write(one);
        now = Math.max(now, 'batch' in one ? one.batch.at : one.forgottenAt);
        if (index % 40 !== 39) continue;
        const spans = below(4) === 0 ? (6 + below(8)) * day : 10_000 * day;
        if (below(2) === 0) call(now, below);
        // Some days stay to be rolled up, and some hours to be added up, when the next question comes.
        for (let steps = below(3) === 0 ? 4 : 10_000; steps > 0; steps--)
          if (!(await writer.keep({ spans, messages: 10_000 * day }, now)).more) break;
        if (below(2) === 0) database.exec(changes[below(changes.length)] ?? '');
        told.push(await answersOf(questions(keeping, now)));
        const fresh = await opened();
        // The other way round: what one question leaves for the next is another thing.
        expected.push((await answersOf(questions(fresh, now).toReversed())).toReversed());
        await fresh.close();
        // Calls that are told late, of days that stay as they are.
        call(now, below);
        const later = await opened();
        const period = { from: begins, to: now };
        told.push([await keeping.record.alarmFigures({ clusters: null }, period, hour)]);
        expected.push([await later.record.alarmFigures({ clusters: null }, period, hour)]);
        await later.close();
      }
      await keeping.close();
      expect(told).toEqual(expected);
    },
  );

  it.each([4, 7])(
    'gives the figures of calls that spans alone give, wherever blocks of days meet (%i)',
    async (seed) => {
      const random = randomOf(seed);
      const below = (count: number): number => Math.floor(random() * count);
      const keeping = await opened();
      let now = begins;
      for (const [index, one] of randomHistory(seed, begins, 480).writes.entries()) {
        await write(one);
        now = Math.max(now, 'batch' in one ? one.batch.at : one.forgottenAt);
        if (index % 80 !== 79) continue;
        for (let steps = below(3) === 0 ? 4 : 10_000; steps > 0; steps--)
          if (!(await writer.keep({ spans: 10_000 * day, messages: 10_000 * day }, now)).more) break;
        call(now, below);
        callAtBorders(now, below);
        const periods = periodsOfCalls(now);
        expect(await figuresOfCalls(keeping, periods)).toEqual(await figuresOfSpans(periods));
        for (const period of periods) await addsUp(keeping, period);
      }
      await keeping.close();
      // Some of it was told of days that are added up.
      expect(database.prepare('SELECT 1 FROM rollup_calls WHERE figures IS NOT NULL LIMIT 1').all()).toHaveLength(1);
    },
  );

  const border = beginningOf(blockOf(begins) + 2);
  const ref = refOf('a', 1);
  const until = border + 3 * day + hour;

  async function withoutAbsence({ record }: StoreReader): Promise<number | null> {
    return (await record.alarmFigures({ clusters: null }, { from: begins, to: until }, hour)).withoutAbsence;
  }

  /** Writes one call, from two days before a block begins to `to` (ms after that), for an object that was never away. */
  async function writeWellCalled(to: number, gap: boolean): Promise<void> {
    const onset = { time: begins, bound: 'exact', noticedAt: begins } as const;
    const transition = transitionOf(ref, begins, { from: null, to: 'converged', noticedAt: begins });
    const seen = { cluster: 'a', kind: null, observed: true, state: 'live', reason: null } as const;
    const lost = { ...seen, observed: false, state: 'unreachable' } as const;
    const coverage = gap
      ? [
          { ...seen, at: begins },
          { ...lost, at: border - 30 * hour },
          { ...seen, at: border - 29 * hour },
        ]
      : [{ ...seen, at: begins }];
    const objects = withDetails([objectOf(ref, { onset })]);
    await write({ cluster: 'a', batch: batchOf({ at: begins, objects, transitions: [transition], coverage }) });
    while ((await writer.keep({ spans: 10_000 * day, messages: 10_000 * day }, until)).more);
    database.exec("INSERT INTO fact_source (type, name) VALUES ('alarm-source', 'prom')");
    database.exec(
      `INSERT INTO alarm_call (fact_source, key, alert, labels, attributed, receivers, starts_at, from_at, to_at, of_kind, of_name, reads_objects)
       SELECT id, 'k', 'Away', json_object('kind', '${ref.kind}', 'namespace', '${ref.namespace}', 'name', '${ref.name}'), 'a', '[]',
         0, ${border - 2 * day}, ${border + to}, 'kustomization', '${ref.name}', 1 FROM fact_source WHERE name = 'prom'`,
    );
  }

  async function wellCalled(to: number, gap: boolean): Promise<number | null> {
    await writeWellCalled(to, gap);
    const reader = await opened();
    const found = await withoutAbsence(reader);
    await reader.close();
    return found;
  }

  it.each([-1, 0, 1, hour])('counts a call that ends %i ms after a block begins once', async (to) => {
    expect(await wellCalled(to, false)).toBe(1);
  });

  it('counts a call no more once it is noticed that its object was away then', async () => {
    await writeWellCalled(-hour, false);
    const reader = await opened();
    const before = await withoutAbsence(reader);
    const onset = { time: border - 2 * hour, bound: 'exact', noticedAt: until - 1 } as const;
    const object = objectOf(ref, { verdict: 'diverged', onset, awaySince: onset });
    const transition = transitionOf(ref, onset.time, { noticedAt: onset.noticedAt });
    await write({
      cluster: 'a',
      batch: batchOf({ at: onset.noticedAt, objects: withDetails([object]), transitions: [transition] }),
    });
    expect([before, await withoutAbsence(reader)]).toEqual([1, 0]);
    await reader.close();
  });

  it('knows of a gap in the block before that in which a call ends', async () => {
    expect(await wellCalled(hour, true)).toBe(0);
  });
});
