import { describe, expect, it } from 'vitest';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { minute } from '#lib/domain/time/length.ts';
import type { WriteBatch } from '#server/store/port/port.ts';
import type { Bench } from './store-bench.ts';
import { noon, objectOf, refOf, transitionOf, withDetails } from './store-records.ts';

const ref = refOf('a', 1);
const always = { from: noon - 60 * minute, to: noon + 10_000 * minute };
const scope = { clusters: null };

/** Batch that a collector writes when an object comes into a verdict, `at` minutes after noon. */
function verdictAt(verdict: Verdict, at: number, from: Verdict | null, change: Partial<CurrentObject> = {}) {
  const noticedAt = noon + at * minute;
  const onset = { time: noticedAt - 20, bound: 'exact' as const, noticedAt };
  const awaySince = verdict === 'converged' ? null : onset;
  const object = objectOf(ref, { uid: 'one', verdict, onset, awaySince, ...change });
  const transition = transitionOf(ref, onset.time, { uid: object.uid, noticedAt, from, to: verdict });
  return { at: noticedAt, objects: withDetails([object]), transitions: [transition] };
}

function removalAt(at: number, from: Verdict): Partial<WriteBatch> {
  const time = noon + at * minute;
  return {
    at: time,
    removed: [{ ref, at: time }],
    transitions: [transitionOf(ref, time, { uid: 'one', noticedAt: time, from, to: null })],
  };
}

/** Cases of what is recorded by the writing of records alone: where spans end, and what an absence is. */
export function describeRecordWriting(bench: Bench): void {
  async function spans(): Promise<readonly (readonly [number, number | null, Verdict])[]> {
    const inMinutes = (time: number): number => (time - noon) / minute;
    const found = await bench.reader.record.spans(ref, always, 99);
    return found.map(({ from, to, verdict }) => [inMinutes(from), to === null ? null : inMinutes(to), verdict]);
  }

  async function absences() {
    const page = { order: 'newest', cursor: null, limit: 99 } as const;
    const { items } = await bench.reader.record.absences(scope, always, page);
    return items.map(({ noticedAt, closedAt, ended, worst }) => [
      (noticedAt - noon) / minute,
      closedAt === null ? null : (closedAt - noon) / minute,
      ended,
      worst,
    ]);
  }

  /** Incidents: since when they were known, when they were over, members, returns. */
  async function incidents() {
    const at = noon + 10_000 * minute;
    const question = { scope, period: always, at, order: 'newest' } as const;
    const { items } = await bench.reader.record.incidents(question, { cursor: null, limit: 99 });
    return items.map(({ noticedAt, closedAt, members, returns }) => [
      (noticedAt - noon) / minute,
      closedAt === null ? null : (closedAt - noon) / minute,
      members,
      returns,
    ]);
  }

  describe('writing the record', () => {
    it('ends a span with the next one, and an absence when the object is converged', async () => {
      const a = await bench.lease('a');
      await bench.write(a, verdictAt('converged', 0, null));
      await bench.write(a, verdictAt('diverged', 5, 'converged'));
      expect([await spans(), await absences()]).toEqual([
        [
          [0, 5, 'converged'],
          [5, null, 'diverged'],
        ],
        [[5, null, null, 'diverged']],
      ]);
      await bench.write(a, verdictAt('converged', 8, 'diverged'));
      expect(await absences()).toEqual([[5, 8, 'converged', 'diverged']]);
    });

    it('takes a batch that comes twice once', async () => {
      const a = await bench.lease('a');
      const correction = { at: noon, certainty: 'probable' as const, said: 'x configured', count: 2 };
      const beside = { corrections: [{ ref, correction }], arrivals: [{ ref, commit: 'd'.repeat(40), at: noon }] };
      const batches = [
        { ...verdictAt('diverged', 0, null), ...beside },
        verdictAt('converged', 5, 'diverged'),
        removalAt(9, 'converged'),
        verdictAt('stale', 12, null, { uid: 'two' }),
      ];
      const received = async () => [
        await spans(),
        await absences(),
        await bench.reader.record.corrections(scope, always, { cursor: null, limit: 9 }),
        await bench.reader.record.arrivals(scope, always, 9),
      ];
      for (const batch of batches) {
        await bench.write(a, batch);
        const before = await received();
        await bench.write(a, batch);
        expect(await received()).toEqual(before);
      }
    });

    it('keeps what was made anew in one batch with the end of what had its name', async () => {
      const a = await bench.lease('a');
      await bench.write(a, verdictAt('diverged', 0, null));
      const [gone, anew] = [removalAt(3, 'diverged'), verdictAt('converged', 3, null, { uid: 'two' })];
      const transitions = [...(gone.transitions ?? []), ...anew.transitions];
      await bench.write(a, { ...gone, objects: anew.objects, transitions });
      expect((await bench.writer.load('a')).objects.map(({ object }) => object.uid)).toEqual(['two']);
      expect(await spans()).toEqual([
        [0, 3, 'diverged'],
        [3, null, 'converged'],
      ]);
      expect(await absences()).toEqual([[0, 3, 'removed', 'diverged']]);
    });

    it('ends everything with a cluster that is forgotten', async () => {
      const a = await bench.lease('a');
      await bench.write(a, verdictAt('unhealthy', 0, null));
      expect(await bench.writer.forget(a, noon + 4 * minute)).toEqual({ type: 'written' });
      expect([await spans(), await absences()]).toEqual([[[0, 4, 'unhealthy']], [[0, 4, 'forgotten', 'unhealthy']]]);
    });

    it('makes no incident of what is away by plan, until that ends, whatever cluster the next batch is of', async () => {
      const [a, b] = [await bench.lease('a'), await bench.lease('b')];
      const planned = [{ clusters: ['a'], until: noon + 60 * minute, reason: 'upgrade' }];
      await bench.write(a, { ...verdictAt('converged', 0, null), planned });
      await bench.write(a, verdictAt('diverged', 5, 'converged'));
      await bench.write(b, { at: noon + 59 * minute });
      expect(await incidents()).toEqual([]);
      await bench.write(b, { at: noon + 70 * minute });
      expect(await incidents()).toEqual([[60, null, 1, 0]]);
      await bench.write(a, verdictAt('converged', 80, 'diverged'));
      expect(await incidents()).toEqual([[60, 80, 1, 0]]);
    });

    it('makes an incident of it when the plan is withdrawn, and none of what is home by then', async () => {
      const a = await bench.lease('a');
      const planned = [{ clusters: ['a'], until: noon + 60 * minute, reason: 'upgrade' }];
      await bench.write(a, { ...verdictAt('converged', 0, null), planned });
      await bench.write(a, verdictAt('stale', 2, 'converged'));
      await bench.write(a, verdictAt('converged', 4, 'stale'));
      await bench.write(a, verdictAt('diverged', 5, 'converged'));
      await bench.write(a, { at: noon + 20 * minute, planned: [] });
      expect(await incidents()).toEqual([[20, null, 1, 0]]);
    });

    it('makes one incident of an object that leaves and comes home within a batch', async () => {
      const a = await bench.lease('a');
      const [left, home] = [verdictAt('diverged', 5, null), verdictAt('converged', 8, 'diverged')];
      const transitions = [...left.transitions, ...home.transitions];
      await bench.write(a, { ...home, objects: [...left.objects, ...home.objects], transitions });
      expect(await incidents()).toEqual([[5, 8, 1, 0]]);
    });

    it('leaves nothing in the future when the clock was set back, of what is gone neither', async () => {
      const a = await bench.lease('a');
      await bench.write(a, verdictAt('converged', 0, null));
      await bench.write(a, verdictAt('diverged', 5_000, 'converged'));
      await bench.write(a, removalAt(6_000, 'diverged'));
      await bench.write(a, { at: noon + 9 * minute, setBackTo: noon + 9 * minute });
      expect(await spans()).toEqual([[0, 9, 'converged']]);
      await bench.write(a, verdictAt('stale', 10, null, { uid: 'two' }));
      expect(await spans()).toEqual([
        [0, 9, 'converged'],
        [10, null, 'stale'],
      ]);
    });
  });
}
