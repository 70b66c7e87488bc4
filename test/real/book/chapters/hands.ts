import { byHand, editsValue, inTurn, kustomizationAt, merges, waits } from '../deeds.ts';
import { began, firstWrite } from '../checks/began.ts';
import { changed } from '../checks/lists.ts';
import { says } from '../checks/says.ts';
import type { Chapter } from '../situation.ts';
import { kustomizationOf, staysConverged } from '../subjects.ts';

const optOut = 'kustomize.toolkit.fluxcd.io/reconcile';
const onLodger = ['-n', 'flux-system', 'annotate', 'kustomization', 'lodger'] as const;
const patchLodger = (interval: string): readonly string[] => [
  ...['-n', 'flux-system', 'patch', 'kustomization', 'lodger', '--type=merge', '-p'],
  JSON.stringify({ spec: { interval } }),
];

/** Hands on the cluster. */
export const hands: Chapter = {
  name: 'hands',
  title: 'Hands on the cluster',
  situations: [
    {
      name: 'a hand edit that the kustomize-controller undoes',
      within: 90_000,
      act: editsValue('drifty'),
      checks: [
        says(kustomizationOf('alpha', 'drifty'), {
          verdict: 'converged',
          drift: 'corrected',
          rootCause: null,
          away: false,
        }),
      ],
      never: [staysConverged(kustomizationOf('alpha', 'drifty'))],
    },
    {
      name: 'somebody opts a delivered Kustomization out on the live cluster, and edits it',
      within: 60_000,
      act: inTurn(byHand('alpha', ...onLodger, `${optOut}=disabled`), byHand('alpha', ...patchLodger('25s'))),
      checks: [
        says(kustomizationOf('alpha', 'lodger'), {
          verdict: 'unconfirmed',
          reason: 'OptedOut',
          guarantee: 'off',
          exemptions: ['health-not-checked', 'reconcile-disabled'],
          setBy: ['reconcile-disabled', 'kubectl-annotate'],
          deliveredBy: 'Kustomization/landlord',
        }),
        began(kustomizationOf('alpha', 'lodger'), firstWrite),
        says(kustomizationOf('alpha', 'landlord'), { verdict: 'converged' }),
        changed(kustomizationOf('alpha', 'lodger'), 'exemption-added', 'kubectl-annotate'),
        changed(kustomizationOf('alpha', 'lodger'), 'spec-edited', 'kubectl-patch'),
      ],
      never: [staysConverged(kustomizationOf('alpha', 'landlord'))],
    },
    {
      name: 'the opt-out is taken back: the edit is undone',
      within: 60_000,
      act: byHand('alpha', ...onLodger, `${optOut}-`),
      checks: [
        says(kustomizationOf('alpha', 'lodger'), { verdict: 'converged', exemptions: ['health-not-checked'] }),
        says(kustomizationOf('alpha', 'landlord'), { verdict: 'converged', drift: 'corrected' }),
      ],
    },
    {
      name: 'somebody suspends with kubectl while it is converged',
      within: 30_000,
      act: byHand(
        'alpha',
        ...['-n', 'flux-system', 'patch', 'kustomization', 'drifty', '--type=merge', '-p', '{"spec":{"suspend":true}}'],
      ),
      checks: [
        says(kustomizationOf('alpha', 'drifty'), {
          verdict: 'suspended',
          was: 'converged',
          exemptions: ['health-not-checked', 'suspended'],
          setBy: ['suspended', 'kubectl-patch'],
          rootCause: null,
          guarantee: 'off',
        }),
        began(kustomizationOf('alpha', 'drifty'), firstWrite),
        changed(kustomizationOf('alpha', 'drifty'), 'suspended', 'kubectl-patch'),
      ],
      never: [
        { subject: kustomizationOf('alpha', 'drifty'), verdicts: ['diverged', 'drifted', 'stale', 'unconfirmed'] },
      ],
    },
    {
      name: 'a hand edit while it is suspended: nobody undoes it, and nothing is called good',
      within: 60_000,
      act: inTurn(editsValue('drifty', 'while suspended'), waits(25_000)),
      checks: [says(kustomizationOf('alpha', 'drifty'), { verdict: 'suspended', was: 'converged', guarantee: 'off' })],
      never: [{ subject: kustomizationOf('alpha', 'drifty'), verdicts: ['converged', 'stale', 'unconfirmed'] }],
    },
    {
      name: 'resumed: the edit is undone',
      within: 90_000,
      act: merges('alpha', kustomizationAt('drifty'), { spec: { suspend: false } }),
      checks: [
        says(kustomizationOf('alpha', 'drifty'), {
          verdict: 'converged',
          drift: 'corrected',
          exemptions: ['health-not-checked'],
          rootCause: null,
        }),
      ],
      never: [
        {
          subject: kustomizationOf('alpha', 'drifty'),
          verdicts: ['diverged', 'unhealthy', 'drifted', 'stale', 'unobserved'],
        },
      ],
    },
    {
      name: 'suspended while failing',
      within: 30_000,
      act: merges('alpha', kustomizationAt('no-path'), { spec: { suspend: true } }),
      checks: [
        says(kustomizationOf('alpha', 'no-path'), {
          verdict: 'suspended',
          was: 'diverged',
          exemptions: ['health-not-checked', 'suspended'],
          guarantee: 'off',
        }),
        began(kustomizationOf('alpha', 'no-path'), firstWrite),
      ],
    },
    {
      name: 'resumed while failing',
      within: 60_000,
      act: merges('alpha', kustomizationAt('no-path'), { spec: { suspend: false } }),
      checks: [
        says(kustomizationOf('alpha', 'no-path'), {
          verdict: 'diverged',
          reason: 'ArtifactFailed',
          rootCause: null,
          away: true,
        }),
      ],
      never: [{ subject: kustomizationOf('alpha', 'no-path'), verdicts: ['converged', 'stale'] }],
    },
  ],
};
