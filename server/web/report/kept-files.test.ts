import { describe, expect, it } from 'vitest';
import { day, hour, minute } from '#lib/domain/time/length.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Absence } from '#lib/domain/record/absence.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import type { Recorded } from '#server/store/record/recorded.ts';
import { declaredKind } from '#lib/domain/verdict/only-declared.ts';
import { transitionOf } from '#test/contract/store-records.ts';
import { askReport } from './ask-report.ts';
import { reportFile } from './report-file.ts';
import { asked, kustomization, october, octoberHistory } from './testing/october.ts';
import { recorded } from './testing/recorded.ts';

/** Objects of eu-west-3 and one of a cluster that comes late: every way in which an absence ends, and lasts; and a controller that died. */
const search = kustomization('eu-west-3', 'search');
const ledger = kustomization('us-east-1', 'ledger');

const beneath = Array.from({ length: 12 }, (_, index) => kustomization('eu-west-3', `team-${index + 1}`));
const died = october + 17 * day;
const controller = {
  type: 'controller',
  cluster: 'eu-west-3',
  namespace: 'flux-system',
  name: 'kustomize-controller',
} as const;

function away(ref: ObjectRef, from: number, hours: number | null, rest: Partial<Absence> = {}): Absence {
  return {
    ref,
    uid: `uid-${ref.name}`,
    openedAt: from,
    bound: 'exact',
    noticedAt: from + minute,
    closedAt: hours === null ? null : from + hours * hour,
    ended: hours === null ? null : 'converged',
    worst: 'unhealthy',
    reason: 'HealthCheckFailed',
    rootCause: null,
    range: null,
    ...rest,
  };
}

function states(
  ref: ObjectRef,
  turns: readonly (readonly [at: number, to: Verdict | null])[],
): Recorded['transitions'] {
  return turns.map(([at, to], index) =>
    transitionOf(ref, at, { noticedAt: at, from: turns[index - 1]?.[1] ?? null, to }),
  );
}

const stack: ObjectRef = { cluster: 'eu-west-3', ...declaredKind, namespace: '', name: 'dns' };

const troubled: Partial<Recorded> = {
  ...octoberHistory,
  coverage: [
    ...octoberHistory.coverage,
    { cluster: 'us-east-1', kind: null, at: october + 3 * day, observed: true, state: 'live', reason: null },
    { cluster: 'us-east-1', kind: null, at: october + 6 * day, observed: false, state: 'denied', reason: 'Forbidden' },
    { cluster: 'us-east-1', kind: null, at: october + 9 * day, observed: true, state: 'live', reason: null },
  ],
  transitions: [
    ...octoberHistory.transitions,
    ...states(search, [
      [october - 20 * day, 'converged'],
      [october - 2 * day, 'stale'],
      [october + 4 * hour, 'converged'],
      [october + 8 * day, 'unconfirmed'],
      [october + 9 * day, 'converged'],
      [october + 12 * day, 'unhealthy'],
      [october + 14 * day, null],
    ]),
    ...states(ledger, [
      [october + 3 * day, 'converged'],
      [october + 15 * day, 'behind'],
      [october + 15 * day + 3 * hour, 'progressing'],
      [october + 15 * day + 4 * hour, 'converged'],
      [october + 30 * day, 'waiting'],
    ]),
    ...beneath.flatMap((ref) =>
      states(ref, [
        [october - 20 * day, 'converged'],
        [died, 'stale'],
        [died + 3 * hour, 'converged'],
      ]),
    ),
    ...states(stack, [[october - 20 * day, 'unobserved']]),
  ],
  absences: [
    ...octoberHistory.absences,
    away(search, october - 2 * day, 52, { worst: 'stale', reason: '', bound: 'at-least' }),
    away(search, october + 12 * day, 48, { ended: 'removed' }),
    away(ledger, october + 5 * day, 1),
    away(ledger, october + 15 * day, 4, { worst: 'behind', reason: '' }),
    away(ledger, october + 16 * day, 2, { ended: 'forgotten', worst: 'behind', reason: 'DependencyNotReady' }),
    ...beneath.map((ref) => away(ref, died, 3, { worst: 'stale', reason: '', rootCause: controller })),
    away(ledger, october + 30 * day, null, { rootCause: { type: 'object', ref: search } }),
  ],
  changes: [
    ...octoberHistory.changes,
    ...(['suspended', 'resumed'] as const).map((type, index) => {
      const at = october + (20 + index) * day;
      const fact = { type, by: null, field: 'spec.suspend' };
      return { cluster: 'us-east-1', ref: ledger, at, notBefore: at, noticedAt: at, fact };
    }),
  ],
  corrections: [
    ...octoberHistory.corrections,
    { ref: search, correction: { at: october + 2 * day, certainty: 'probable', said: 'configured', count: 3 } },
  ],
};

// People file these, and scripts read the last. A change that is meant is written with `vitest run -u` and read in the diff.
describe('the files of a report are those that are kept', () => {
  it.each([
    ['october', ['md', 'csv'], octoberHistory, asked()],
    ['troubled', ['md', 'csv', 'html'], troubled, asked({ simulated: true })],
    [
      'one-cluster-in-part',
      ['md', 'csv'],
      troubled,
      asked({
        period: { from: october - 30 * day, to: october + 20 * day, end: october + 31 * day },
        asOf: october + 20 * day + hour,
        scope: { clusters: ['us-east-1'], cluster: '', label: 'environment=production', kind: null },
      }),
    ],
    ['nothing', ['md', 'csv', 'html'], {}, asked()],
  ] as const)('%s', async (name, formats, history, request) => {
    const report = await askReport(recorded(history), request);
    for (const format of formats) {
      const file = reportFile(report, format, 'https://plumbline.example.org');
      const text = [...file.lines].join('').replaceAll('><', '>\n<').replaceAll('\r\n', '\n');
      await expect(`${text.trimEnd()}\n`).toMatchFileSnapshot(`../../../test/fixtures/kept/report/${name}.${format}`);
    }
  });
});
