import { describe, expect, it } from 'vitest';
import { calledHows, callsLooked, type CalledHow } from '#lib/domain/alarm/alarm-figures.ts';
import { day, hour, minute } from '#lib/domain/time/length.ts';
import { dayOf } from '#lib/domain/time/utc-day.ts';
import type { Period } from '#lib/domain/record/span.ts';
import type { RecordReader, RecordScope } from '#server/store/port/record-port.ts';
import { chanceOf, randomHistory } from '../random-history.ts';
import type { Bench } from '../store-bench.ts';
import { noon } from '../store-records.ts';
import { writeAll } from '../written-record.ts';
import { alarmBatchOf, alarmLease, callOf } from './alarm-records.ts';
import {
  figuresOf,
  idsOf,
  incidentAnswers,
  keepUp,
  pureOf,
  randomWords,
  recordsOf,
  scopes,
  writeWords,
  type AlarmWord,
} from './alarm-figures.contract.ts';

const begin = dayOf(noon);
/** It speaks for this cluster, and calls for no other. */
const [loud, its] = ['third', 'b'] as const;

/** Of the scopes that others are asked for: all, one cluster, those that the loud source does not speak for, and a part that may be seen. */
const some = scopes.filter((scope, place) => [0, 1, 2, scopes.length - 1].includes(place) || scope.name !== undefined);

/** More calls than are looked at, which last all the time. */
async function shout({ writer }: Bench, to: number): Promise<void> {
  const lease = await alarmLease(writer, loud);
  const calls = Array.from({ length: callsLooked + 1 }, (_, number) =>
    callOf(loud, number, begin - noon, { key: `loud ${number}`, labels: {}, cluster: its, readsObjects: false, to }),
  );
  await writer.writeAlarms(lease, alarmBatchOf({ calls }));
}

/** Words of other sources, and of the loud one those for its cluster. */
function wordsOf(...of: Parameters<typeof randomWords>): readonly AlarmWord[] {
  const said = (clusters: readonly string[]) => ({ source: loud, at: begin, read: true, clusters, reason: null });
  const first: AlarmWord = { source: loud, calls: [], coverage: [said([its])] };
  const words = randomWords(...of).filter(
    (word) => word.source !== loud || ('calls' in word && word.calls.some(({ cluster }) => cluster === its)),
  );
  return [first, ...words];
}

/** The same, had the source been one that cannot be read. */
function unread(words: readonly AlarmWord[]): readonly AlarmWord[] {
  const others = words.filter(({ source }) => source !== loud);
  const coverage = [{ source: loud, at: begin, read: false, clusters: [its], reason: 'too loud' }];
  return [{ source: loud, calls: [], coverage }, ...others];
}

async function absencesOf(record: RecordReader, scope: RecordScope, period: Period, how: CalledHow) {
  const asked = { alarmWithin: 15 * minute, called: [how], order: 'longest', cursor: null, limit: 1_000 } as const;
  return record.absencesCalled(scope, period, asked);
}

/** Cases of a source that makes more calls than are looked at. */
export function describeLoudSource(bench: Bench): void {
  async function expectAlike(expected: RecordReader, quiet: RecordReader, seed: number, now: number): Promise<void> {
    const { record } = bench.reader;
    const { below } = chanceOf(seed);
    const ids = await idsOf(expected, now);
    for (const scope of some) {
      const from = begin + below(Math.floor((now - begin) * 0.7));
      for (const period of [
        { from: begin, to: now },
        { from, to: from + 1 + below(now - from) },
      ]) {
        const found = await figuresOf(record, scope, period);
        const isQuiet = found.unlooked.length === 0;
        const { calls, alerts, alertsTotal, unlooked } = found;
        const whole = isQuiet
          ? await figuresOf(quiet, scope, period)
          : {
              ...(await figuresOf(expected, scope, period)),
              calls,
              alerts,
              alertsTotal,
              unlooked,
              withoutAbsence: null,
            };
        expect([scope, period, found]).toEqual([scope, period, whole]);
        expect(scope.within !== undefined || isQuiet !== (scope.clusters?.includes(its) ?? true)).toBe(true);
        for (const how of calledHows)
          expect([scope, how, await absencesOf(record, scope, period, how)]).toEqual([
            ...[scope, how, await absencesOf(expected, scope, period, how)],
          ]);
      }
    }
    const asked = [...ids.slice(below(ids.length)).slice(0, 6), 'none'];
    expect(await incidentAnswers(record, asked, now)).toEqual(await incidentAnswers(expected, asked, now));
  }

  describe('a source with more calls than are looked at', () => {
    it('is as one that cannot be read, and takes nothing from others', async () => {
      const seed = 1;
      const { writes, now } = randomHistory(seed, begin + 5 * hour, 260);
      const words = wordsOf(seed + 500, recordsOf(writes), begin, now);
      await writeAll(bench, writes);
      await writeWords(bench, words);
      await shout(bench, now + day);
      const [expected, quiet] = [pureOf(writes, unread(words)), pureOf(writes, words)];
      await expectAlike(expected, quiet, seed, now);
      await keepUp(bench, now);
      await expectAlike(expected, quiet, seed + 10, now);
      const asked = await bench.reader.record.alarmFigures({ clusters: [its] }, { from: begin, to: now }, 15 * minute);
      expect(asked.unlooked[0]?.calls).toBeGreaterThan(callsLooked);
      expect(asked.silent).toBe(0);
    }, 120_000);
  });
}
