// What the record tells within a view, beside a record of nothing but what lies in it.
import { expect, it } from 'vitest';
import { holdsNamespace } from '#lib/domain/access/scope.ts';
import { grantedWithin, type Within } from '#lib/domain/access/within.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { changeTypes } from '#lib/domain/record/change.ts';
import { hour, minute } from '#lib/domain/time/length.ts';
import { dayOf } from '#lib/domain/time/utc-day.ts';
import type { RecordReader, RecordScope } from '#server/store/port/record-port.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { recordWithin } from '#server/web/worlds/record/record-within.ts';
import { sightOf } from '#server/web/worlds/sight.ts';
import { kinds, randomHistory, withins, type Written } from '#test/contract/random-history.ts';
import { noon } from '#test/contract/store-records.ts';
import { allPages, recordOf } from '#test/contract/written-record.ts';

/** A history without what lies outside. */
function seenOf(writes: readonly Written[], within: Within): readonly Written[] {
  const sees = ({ cluster, namespace }: ObjectRef): boolean =>
    holdsNamespace(grantedWithin(within, cluster), namespace);
  return writes
    .filter(({ cluster }) => grantedWithin(within, cluster) !== 'none')
    .map((written): Written => {
      if (!('batch' in written)) return written;
      const { cluster, batch } = written;
      const isWhole = grantedWithin(within, cluster) === 'all';
      return {
        cluster,
        batch: {
          ...batch,
          objects: batch.objects.filter(({ object }) => sees(object.ref)),
          removed: batch.removed.filter(({ ref }) => sees(ref)),
          transitions: batch.transitions.filter(({ ref }) => sees(ref)),
          changes: batch.changes.filter(({ ref, fact }) =>
            ref === null ? isWhole || fact.type !== 'package-revision' : sees(ref),
          ),
          corrections: batch.corrections.filter(({ ref }) => sees(ref)),
          earlier: batch.earlier.filter(({ ref }) => sees(ref)),
          arrivals: batch.arrivals.filter(({ ref }) => isWhole && sees(ref)),
        },
      };
    });
}

/** A cause outside has no name. */
function withoutCause<T extends object>(time: T): T {
  return { ...time, rootCause: null };
}

async function answers(record: RecordReader, scope: RecordScope, period: Period): Promise<object> {
  const page = { cursor: null, limit: 1_000 };
  const absences = await allPages((cursor) => record.absences(scope, period, { order: 'longest', cursor, limit: 3 }));
  const spans = await record.spansIn(scope, period, page);
  const transitions = await record.transitions(scope, period, page);
  return {
    since: await record.since(scope),
    spans: spans.items.map(withoutCause),
    absences: absences.map(withoutCause),
    figures: await record.absenceFigures(scope, period, 15 * minute),
    corrections: await record.corrections(scope, period, page),
    days: await record.correctionDays(scope, period),
    total: await record.shares(scope, period, 'total'),
    clusters: await record.shares(scope, period, 'cluster'),
    kinds: await record.shares(scope, period, 'kind'),
    objects: await record.objectCount(scope, period),
    wallClock: await record.wallClock(scope, period, 4),
    worst: await record.worst(scope, period, 5),
    changes: await record.changeCounts(scope, period, changeTypes),
    arrivals: (await record.arrivals(scope, period, 20)).list,
    transitions: transitions.items.map(withoutCause),
    count: await record.transitionCount(scope, period, 1_000),
    beside: await record.changesBeside(period.from + hour, scope),
  };
}

const scopes: readonly RecordScope[] = [{ clusters: null }, { clusters: ['a'] }, { clusters: null, kind: kinds[0] }];

it.each([1, 2, 3])('the record within a view is that of a fleet of nothing else (seed %d)', async (seed) => {
  const { writes, now } = randomHistory(seed, dayOf(noon) + 5 * hour, 200);
  const period = { from: dayOf(noon), to: now };
  for (const within of withins) {
    const sight = sightOf(within);
    const seen = recordWithin(recordOf(writes), () => sight);
    const alone = recordOf(seenOf(writes, within));
    for (const scope of scopes) expect(await answers(seen, scope, period)).toEqual(await answers(alone, scope, period));
  }
});

it('an incident of which a part is seen has that reach, and those times', async () => {
  const { writes, now } = randomHistory(5, dayOf(noon) + 5 * hour, 300);
  const whole = recordOf(writes);
  const period = { from: dayOf(noon), to: now };
  const question = { scope: { clusters: null }, period, at: now, order: 'newest' } as const;
  const page = { cursor: null, limit: 1_000 };
  let parts = 0;
  for (const within of withins) {
    const sight = sightOf(within);
    const seen = recordWithin(whole, () => sight);
    const { items } = await seen.incidents(question, page);
    const figures = await seen.causeFigures(question.scope, period, now);
    expect(figures.opened + figures.openAtStart).toBe(figures.closed + figures.gone + figures.open);
    expect(await seen.incidentCount(question, 1_000)).toBe(items.length);
    for (const incident of items) {
      const members = (await seen.members(incident.id, now, question.scope, page)).items;
      expect(
        members.every(({ ref, cluster }) => (ref === null ? sight.granted(cluster) === 'all' : sight.sees(ref))),
      ).toBe(true);
      expect(incident.members).toBe(members.length);
      expect(incident.clusters.every((name) => sight.granted(name) !== 'none')).toBe(true);
      expect(await seen.incident(incident.id, now)).toEqual({ type: 'incident', incident });
      const steps = await seen.incidentSteps(incident.id, now, 100);
      expect(steps.at(-1)?.now).toEqual(incident.now);
      const all = await whole.incident(incident.id, now);
      if (all?.type === 'incident' && all.incident.members !== incident.members) parts += 1;
    }
    const outside = (await whole.incidents(question, page)).items.filter(({ id }) =>
      items.every((one) => one.id !== id),
    );
    for (const { id } of outside) {
      expect(await seen.incident(id, now)).toBeNull();
      expect(await seen.incidentSteps(id, now, 10)).toEqual([]);
      expect(await seen.callsOfIncident(id, now, 10)).toEqual([]);
    }
  }
  expect(parts).toBeGreaterThan(0);
});
