import { helmRelease } from '../../fixtures/manifests.ts';
import { applies, editsValue, helmReleaseAt, inTurn, merges } from '../deeds.ts';
import { began, condition, firstWrite } from '../checks/began.ts';
import { says } from '../checks/says.ts';
import type { Chapter } from '../situation.ts';
import { inApps, staysConverged } from '../subjects.ts';

const release = (name: string) => inApps('HelmRelease', name);

/** Helm releases: drift in all three modes, upgrades that fail. */
export const releases: Chapter = {
  name: 'releases',
  title: 'Helm releases',
  situations: [
    {
      name: 'hand edits in three releases: drift detection off, warn and enabled',
      needs: ['helm-controller'],
      within: 120_000,
      act: inTurn(editsValue('hr-plain'), editsValue('hr-warn'), editsValue('hr-fix')),
      checks: [
        says(release('hr-plain'), { verdict: 'converged', drift: 'not-measured', away: false }),
        says(release('hr-warn'), { verdict: 'drifted', drift: 'found', rootCause: null, away: true }),
        began(release('hr-warn'), condition('Drifted', 'True')),
        says(release('hr-fix'), { verdict: 'converged', drift: 'corrected', away: false }),
      ],
      never: [staysConverged(release('hr-plain')), staysConverged(release('hr-fix'))],
    },
    {
      name: 'a release is suspended while drifted',
      needs: ['helm-controller'],
      within: 30_000,
      act: merges('alpha', helmReleaseAt('hr-warn'), { spec: { suspend: true } }),
      checks: [
        says(release('hr-warn'), { verdict: 'suspended', was: 'drifted', drift: 'found', guarantee: 'off' }),
        began(release('hr-warn'), firstWrite),
      ],
    },
    {
      name: 'it is resumed with drift detection switched off: the old word Drifted=True counts no more',
      needs: ['helm-controller'],
      within: 90_000,
      act: merges('alpha', helmReleaseAt('hr-warn'), {
        spec: { suspend: false, driftDetection: { mode: 'disabled' } },
      }),
      checks: [says(release('hr-warn'), { verdict: 'converged', drift: 'not-measured' })],
    },
    {
      name: 'drift detection is switched to enabled: what was left in place is undone',
      needs: ['helm-controller'],
      within: 90_000,
      act: merges('alpha', helmReleaseAt('hr-warn'), { spec: { driftDetection: { mode: 'enabled' } } }),
      checks: [says(release('hr-warn'), { verdict: 'converged', drift: 'corrected', rootCause: null })],
    },
    {
      name: 'a release is installed',
      needs: ['helm-controller'],
      within: 90_000,
      act: applies('alpha', helmRelease('hr-upgrades', { driftDetection: { mode: 'enabled' } })),
      checks: [
        says(release('hr-upgrades'), { verdict: 'converged', reason: 'InstallSucceeded', drift: 'none', away: false }),
      ],
      never: [{ subject: release('hr-upgrades'), verdicts: ['diverged', 'stale', 'unhealthy', 'drifted'] }],
    },
    {
      name: 'its upgrade fails',
      needs: ['helm-controller'],
      within: 90_000,
      act: merges('alpha', helmReleaseAt('hr-upgrades'), { spec: { values: { broken: true } } }),
      checks: [
        says(release('hr-upgrades'), {
          verdict: 'diverged',
          reason: 'UpgradeFailed',
          rootCause: null,
          mentions: 'no matches for kind',
          away: true,
        }),
        began(release('hr-upgrades'), condition('Ready', 'False UpgradeFailed')),
      ],
      never: [{ subject: release('hr-upgrades'), verdicts: ['drifted', 'stale', 'unobserved'] }],
    },
    {
      name: 'the values are mended',
      needs: ['helm-controller'],
      within: 120_000,
      act: merges('alpha', helmReleaseAt('hr-upgrades'), { spec: { values: { broken: false, value: 'second' } } }),
      checks: [says(release('hr-upgrades'), { verdict: 'converged', reason: 'UpgradeSucceeded', rootCause: null })],
    },
  ],
};
