import { describe, expect, it } from 'vitest';
import type { Observation } from '#lib/domain/observation/observation.ts';
import { minute } from '#lib/domain/time/length.ts';
import type { ObservedEvent } from '../../clusters/cluster-event.ts';
import type { CorrectionMemory } from '../correction-run.ts';
import { corrections } from '../registry.ts';
import { observedEvent, observed } from '../testing.ts';

const start = Date.parse('2026-11-21T08:00:00Z');

function bucket(generation: number, observedGeneration: number | null, syncedAt = start): Observation {
  const time = { lastTransitionTime: new Date(syncedAt).toISOString() };
  const own = observedGeneration === null ? {} : { observedGeneration };
  const conditions = [
    { type: 'Synced', status: 'True', reason: 'ReconcileSuccess', ...own, ...time },
    { type: 'Ready', status: 'True', reason: 'Available', ...own, ...time },
  ];
  return observed(
    {
      apiVersion: 's3.aws.upbound.io/v1',
      kind: 'Bucket',
      metadata: { name: 'b', generation },
      spec: {},
      status: { conditions },
    },
    ['managed'],
  );
}

function updated(count: number, at: number): ObservedEvent {
  return observedEvent({
    uid: 'e',
    reason: 'UpdatedExternalResource',
    message: 'Successfully requested update of external resource',
    count,
    lastAt: at,
  });
}

type Step = readonly [ObservedEvent | null, Observation, number];

function run(steps: readonly Step[]): string[] {
  let memory: CorrectionMemory | null = null;
  return steps.map(([event, observation, now]) => {
    const step = corrections('crossplane', memory, event, observation, now);
    memory = step?.memory ?? null;
    return step?.correction ? `${step.correction.certainty} ${step.correction.count}` : 'none';
  });
}

describe('UpdatedExternalResource', () => {
  it('with an unchanged generation is probably a correction, never more', () => {
    expect(
      run([
        [null, bucket(2, 2), start],
        [updated(1, start + minute), bucket(2, 2), start + minute],
      ]),
    ).toEqual(['none', 'probable 1']);
  });

  it('after an edit of the spec is none', () => {
    const edit = start + 5 * minute;
    expect(
      run([
        [null, bucket(2, 2), start],
        [updated(1, edit), bucket(3, 2), edit],
        [null, bucket(3, 3, edit), edit + 1000],
        [updated(2, edit + 30 * minute), bucket(3, 3, edit), edit + 30 * minute],
      ]),
    ).toEqual(['none', 'none', 'none', 'probable 1']);
  });

  it('after an edit is none either where the runtime tells no generation', () => {
    const edit = start + 30 * minute;
    expect(
      run([
        [null, bucket(2, null), start],
        [null, bucket(3, null), edit],
        [updated(1, edit + 2000), bucket(3, null), edit + 2000],
        [updated(2, edit + 30 * minute), bucket(3, null), edit + 30 * minute],
      ]),
    ).toEqual(['none', 'none', 'none', 'probable 1']);
  });

  it('three in a row at the pace of the poll is contested', () => {
    const at = (n: number): number => start + n * 10 * minute;
    const object = bucket(2, 2);
    expect(run([[null, object, start], ...[1, 2, 3, 4].map((n): Step => [updated(n, at(n)), object, at(n)])])).toEqual([
      'none',
      'probable 1',
      'probable 1',
      'contested 1',
      'contested 1',
    ]);
  });

  it('far apart they are not in a row', () => {
    const at = (n: number): number => start + n * 24 * 60 * minute;
    const object = bucket(2, 2);
    expect(
      run([[null, object, start], ...[1, 2, 3, 4].map((n): Step => [updated(n, at(n)), object, at(n)])]).slice(1),
    ).toEqual(Array(4).fill('probable 1'));
  });

  it('other events are none', () => {
    expect(
      run([
        [null, bucket(2, 2), start],
        [observedEvent({ reason: 'CreatedExternalResource', lastAt: start + minute }), bucket(2, 2), start],
      ]),
    ).toEqual(['none', 'none']);
  });

  it('is told in the words of the event, or by its reason, at its time', () => {
    const known = corrections('crossplane', null, null, bucket(2, 2), start)?.memory ?? null;
    const told = (part: Partial<ObservedEvent>) =>
      corrections('crossplane', known, { ...updated(1, start + minute), ...part }, bucket(2, 2), start + 2 * minute)
        ?.correction;
    const one = { at: start + minute, certainty: 'probable', count: 1 };
    expect(told({})).toEqual({ ...one, said: 'Successfully requested update of external resource' });
    expect(told({ message: '' })).toEqual({ ...one, said: 'UpdatedExternalResource' });
    expect(told({ lastAt: null })).toMatchObject({ at: start + 2 * minute });
  });

  it('without a generation of the runtime is one from two minutes after the edit on', () => {
    const after = (ms: number) =>
      run([
        [null, bucket(3, null), start],
        [updated(1, start + ms), bucket(3, null), start + ms],
      ])[1];
    expect([after(120_000), after(121_000)]).toEqual(['none', 'probable 1']);
  });

  it('remembers the four generations that were reconciled last, each since its condition says so', () => {
    let memory: CorrectionMemory | null = null;
    for (let generation = 1; generation <= 5; generation++) {
      const at = start + generation * minute;
      memory = corrections('crossplane', memory, null, bucket(generation, generation, at), at + 7)?.memory ?? null;
      memory = corrections('crossplane', memory, null, bucket(generation, generation, at + 9), at + 9)?.memory ?? null;
    }
    expect(memory?.passes).toEqual(
      [2, 3, 4, 5].map((generation) => ({ at: start + generation * minute, applied: null, digest: null, generation })),
    );
  });

  it('of an object that is not synced nothing is remembered', () => {
    const failing = { ...bucket(2, 2), conditions: bucket(2, 2).conditions.filter(({ type }) => type === 'Ready') };
    expect(corrections('crossplane', null, null, failing, start)?.memory.passes).toEqual([]);
    const undated = bucket(2, 2).conditions.map((condition) => ({ ...condition, lastTransitionTime: null }));
    expect(
      corrections('crossplane', null, null, { ...bucket(2, 2), conditions: undated }, start + 7)?.memory.passes,
    ).toEqual([{ at: start + 7, applied: null, digest: null, generation: 2 }]);
  });
});
