import { expect, it } from 'vitest';
import { minute } from '#lib/domain/time/length.ts';
import { startBed, type Bed } from './testing/bed.ts';
import { kinds, kustomizationSpec, offering, ready, revision, rfc3339 } from './testing/objects.ts';

/** A status as kustomize-controller writes it; `ends` are its history entries, the newest first. */
function status(
  bed: Bed,
  condition: readonly [string, string],
  ends: readonly [status: string, total: number][],
): object {
  const now = rfc3339(bed.clock.now());
  return {
    observedGeneration: 1,
    conditions: [ready(...condition, bed.clock.now())],
    lastAppliedRevision: revision('a'),
    lastAttemptedRevision: revision('a'),
    history: ends.map(([lastReconciledStatus, totalReconciliations]) => ({
      digest: `sha256:${lastReconciledStatus}`,
      lastReconciledStatus,
      totalReconciliations,
      firstReconciled: now,
      lastReconciled: now,
      metadata: { revision: revision('a') },
    })),
  };
}

const [good, unwell] = ['ReconciliationSucceeded', 'HealthCheckFailed'];

/** A Kustomization whose passes end as they are told to, each a minute after the one before. */
function failing(bed: Bed): { readonly pass: (end: string) => void } {
  const ends: [string, number][] = [[unwell, 1]];
  const object = (condition: readonly [string, string]) =>
    bed.object(kinds.kustomization, 'app', {
      spec: kustomizationSpec('control'),
      status: status(bed, condition, ends),
    });
  const source = bed.object(kinds.gitRepository, 'control', offering(bed.clock.now(), revision('a')));
  bed.open([
    [kinds.gitRepository, source],
    [kinds.kustomization, object(['False', unwell])],
  ]);
  return {
    pass(end) {
      bed.pass(minute);
      bed.write(kinds.kustomization, object(['Unknown', 'Progressing']));
      bed.clock.advance(200);
      ends.unshift([end, (ends.at(0)?.[1] ?? 0) + 1]);
      bed.write(kinds.kustomization, object([end === good ? 'True' : 'False', end]));
      bed.clock.advance(1_000);
    },
  };
}

type Row = readonly [what: string, ends: readonly string[], isHome: boolean];

it.each<Row>([
  ['the pass that mends it and another do not bring it home', [good, good], false],
  ['the pass that mends it and two more do', [good, good, good], true],
])('%s', (_what, ends, isHome) => {
  const bed = startBed();
  const { pass } = failing(bed);
  const away = bed.at('app').awaySince?.time;
  for (const end of ends) pass(end);
  expect(bed.at('app').verdict).toBe('converged');
  // The pass by which it fails again confirms nothing.
  pass(unwell);
  expect(bed.at('app').verdict).toBe('unhealthy');
  expect(bed.at('app').awaySince?.time === away).toBe(!isHome);
  bed.model.stop();
});
