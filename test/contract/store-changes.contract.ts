import { describe, expect, it } from 'vitest';
import type { ChangeFact, NotedChange } from '#lib/domain/record/change.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Bench } from './store-bench.ts';
import { batchOf, noon, objectOf, refOf, withDetails } from './store-records.ts';

/** One fact of every kind, with what is seldom in it. */
const facts: readonly ChangeFact[] = [
  { type: 'spec-edited', by: 'kubectl-edit', from: 3, generation: 5 },
  { type: 'suspended', by: null, field: 'spec.suspend' },
  { type: 'resumed', by: 'flux', field: 'spec.suspend' },
  { type: 'revision', from: null, to: 'main@sha1:9f31c07d9f31c07d9f31c07d9f31c07d9f31c07d' },
  { type: 'created' },
  { type: 'deletion-asked' },
  { type: 'deleted' },
  { type: 'exemption-added', kind: 'prune-disabled', field: 'spec.prune', by: 'kubectl-edit' },
  { type: 'exemption-removed', kind: 'drift-ignored', field: 'spec.ignore', by: null },
];

const clusterFacts: readonly ChangeFact[] = [
  { type: 'controller-version', namespace: 'flux-system', name: 'helm-controller', from: 'v1.3.0', to: 'v1.4.0' },
  { type: 'controller-restarted', namespace: 'flux-system', name: 'helm-controller' },
  {
    type: 'package-revision',
    package: 'xpkg.upbound.io/upbound/provider-aws-rds',
    kind: 'ProviderRevision',
    name: 'provider-aws-rds-4c2',
    from: 'v1.2.0',
    to: 'v1.3.0',
  },
  { type: 'kubernetes-version', from: 'v1.33.6', to: 'v1.34.3' },
];

function change(ref: ObjectRef | null, at: number, fact: ChangeFact, more: Partial<NotedChange> = {}): NotedChange {
  return { cluster: ref?.cluster ?? 'a', ref, at, notBefore: at, noticedAt: at + 100, fact, ...more };
}

const edited: ChangeFact = { type: 'spec-edited', by: 'kubectl-edit', from: 1, generation: 2 };
const all = { from: 0, to: noon + 10_000, limit: 100 };

/** Cases of what was changed, and when it may have been. */
export function describeChanges(bench: Bench): void {
  describe('changes', () => {
    it('gives back every kind of fact as it was written, newest first', async () => {
      const a = await bench.lease('a');
      const ofObject = facts.map((fact, index) => change(refOf('a', 1), noon + index, fact));
      const ofCluster = clusterFacts.map((fact, index) => change(null, noon + 100 + index, fact));
      await bench.write(a, { changes: [...ofObject, ...ofCluster] });
      expect(await bench.reader.changes({ ...all, ref: refOf('a', 1) })).toEqual(ofObject.toReversed());
      expect(await bench.reader.changes({ ...all, cluster: 'a', ref: null })).toEqual(ofCluster.toReversed());
      expect(await bench.reader.changes({ ...all, cluster: 'a' })).toEqual([...ofObject, ...ofCluster].toReversed());
    });

    it('tells one object, one cluster and all apart', async () => {
      const [a, b] = [await bench.lease('a'), await bench.lease('b')];
      const first = change(refOf('a', 1), noon + 1, edited);
      const second = change(refOf('a', 2), noon + 2, edited);
      const third = change(refOf('b', 1), noon + 3, edited);
      await bench.write(a, { changes: [first, second] });
      await bench.write(b, { changes: [third] });
      expect(await bench.reader.changes(all)).toEqual([third, second, first]);
      expect(await bench.reader.changes({ ...all, limit: 2 })).toEqual([third, second]);
      expect(await bench.reader.changes({ ...all, cluster: 'a' })).toEqual([second, first]);
      expect(await bench.reader.changes({ ...all, ref: refOf('b', 1) })).toEqual([third]);
      expect(await bench.reader.changes({ ...all, ref: refOf('b', 2) })).toEqual([]);
      expect(await bench.reader.changes({ ...all, cluster: 'b', ref: null })).toEqual([]);
      expect(await bench.reader.changes({ ...all, cluster: 'none' })).toEqual([]);
    });

    it('gives what may have happened within the span: its ends count, and what is not dated reaches back', async () => {
      const a = await bench.lease('a');
      const dated = change(refOf('a', 1), noon + 100, edited);
      const late = change(refOf('a', 1), noon + 900, { type: 'deleted' }, { notBefore: noon + 200 });
      await bench.write(a, { changes: [dated, late] });
      const spans: readonly (readonly [number, number, readonly NotedChange[]])[] = [
        [0, 99, []],
        [0, 100, [dated]],
        [100, 199, [dated]],
        [101, 199, []],
        [101, 200, [late]],
        [300, 400, [late]],
        [900, 999, [late]],
        [901, 999, []],
        [0, 999, [late, dated]],
      ];
      for (const [from, to, expected] of spans) {
        const span = { from: noon + from, to: noon + to, limit: 9 };
        for (const range of [span, { ...span, cluster: 'a' }, { ...span, ref: refOf('a', 1) }])
          expect(await bench.reader.changes(range), `${from} to ${to}`).toEqual(expected);
      }
    });

    it('takes a batch that is written a second time once, and two facts of one moment both', async () => {
      const a = await bench.lease('a');
      const weakened = ['spec.prune', 'spec.force'].map((field) =>
        change(refOf('a', 1), noon, { type: 'exemption-added', kind: 'prune-disabled', field, by: null }),
      );
      await bench.write(a, { changes: weakened });
      await bench.write(a, { changes: weakened });
      expect(await bench.reader.changes(all)).toHaveLength(2);
    });

    it('keeps what was changed of an object that is gone, and of a cluster that is forgotten', async () => {
      const a = await bench.lease('a');
      const made = change(refOf('a', 1), noon, { type: 'created' });
      const gone = change(refOf('a', 1), noon + 1, { type: 'deleted' });
      await bench.write(a, { objects: withDetails([objectOf(refOf('a', 1))]), changes: [made] });
      await bench.write(a, { removed: [{ ref: refOf('a', 1), at: noon + 1 }], changes: [gone] });
      expect(await bench.reader.changes({ ...all, ref: refOf('a', 1) })).toEqual([gone, made]);
      await bench.writer.forget(a, noon + 2);
      expect(await bench.reader.changes({ ...all, ref: refOf('a', 1) })).toEqual([gone, made]);
    });

    it('writes no change of a batch that is not taken', async () => {
      const a = await bench.lease('a');
      const good = change(refOf('a', 1), noon, edited);
      const bad = change(refOf('a', 1), Number.NaN, { type: 'deleted' });
      expect(await bench.writer.write(a, batchOf({ changes: [good, bad] }))).toMatchObject({ type: 'failed' });
      expect(await bench.reader.changes(all)).toEqual([]);
    });
  });
}
