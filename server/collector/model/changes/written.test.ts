import { expect, it } from 'vitest';
import { noon } from '#lib/domain/testing/observed.ts';
import { batchOf, clusterOf, objectOf, refOf, withDetails } from '#test/contract/store-records.ts';
import { createWritten } from './written.ts';

it('holds what was written last, as a store would', () => {
  const written = createWritten();
  expect(written.state()).toEqual({ cluster: null, objects: [], resume: [] });
  const [a, b] = withDetails([objectOf(refOf('a', 1)), objectOf(refOf('a', 2))]);
  if (!a || !b) throw new Error('no records');
  const point = { group: 'g', kind: 'K', version: 'v1', resourceVersion: '1' };
  const cluster = clusterOf('a');
  written.take(batchOf({ cluster, objects: [a, b], resume: [point] }));
  expect(written.state()).toEqual({ cluster, objects: [a, b], resume: [point] });

  const times = { observedAt: noon, confirmedAt: noon + 1, validUntil: noon + 2 };
  written.take(
    batchOf({
      removed: [{ ref: b.object.ref, at: noon }],
      confirmations: [
        { ref: a.object.ref, ...times },
        { ref: b.object.ref, ...times },
      ],
      resume: [{ ...point, resourceVersion: '2' }],
    }),
  );
  const confirmed = { ...a, object: { ...a.object, ...times } };
  const state = { cluster, objects: [confirmed], resume: [{ ...point, resourceVersion: '2' }] };
  expect(written.state()).toEqual(state);

  const next = createWritten(state);
  expect(next.state()).toEqual({ ...state, resume: [] });
  next.take(batchOf({ cluster: { ...cluster, reason: 'later' } }));
  expect(next.state().cluster).toEqual({ ...cluster, reason: 'later' });
});
