import { setTimeout as pause } from 'node:timers/promises';
import { kustomization } from '../../fixtures/manifests.ts';
import { applies, editsValue } from '../deeds.ts';
import { inConflict } from '../checks/lists.ts';
import { says } from '../checks/says.ts';
import type { Chapter, Stage } from '../situation.ts';
import { kustomizationOf, staysConverged } from '../subjects.ts';

/** Somebody who edits a ConfigMap again whenever it was undone, for a minute. */
async function fightsFor(stage: Stage): Promise<void> {
  for (let round = 0; round < 12; round += 1) {
    await editsValue('fought', `by hand, round ${round}`)(stage);
    await pause(5_000);
  }
}

/** Fights over fields and over objects. */
export const fights: Chapter = {
  name: 'fights',
  title: 'Fights over fields and over objects',
  situations: [
    {
      name: 'two Kustomizations apply one object, both are Ready for ever',
      within: 150_000,
      act: applies(
        'alpha',
        kustomization('shared-a', 'quiet', { path: './clusters/production/shared', interval: '10s' }),
        kustomization('shared-b', 'quiet', { path: './clusters/production/shared', interval: '10s' }),
        kustomization('fought', 'quiet', { interval: '10s' }),
      ),
      checks: [
        says(kustomizationOf('alpha', 'shared-a'), { verdict: 'converged', drift: 'contested', rootCause: null }),
        says(kustomizationOf('alpha', 'shared-b'), { verdict: 'converged', drift: 'contested', rootCause: null }),
        inConflict('alpha', 'two-inventories', 'ConfigMap/shared', ['shared-a', 'shared-b']),
      ],
      never: [
        { subject: kustomizationOf('alpha', 'shared-a'), verdicts: ['diverged', 'drifted', 'stale', 'unobserved'] },
        { subject: kustomizationOf('alpha', 'shared-b'), verdicts: ['diverged', 'drifted', 'stale', 'unobserved'] },
      ],
    },
    {
      name: 'a hand that edits a field again after each pass',
      within: 60_000,
      act: fightsFor,
      checks: [says(kustomizationOf('alpha', 'fought'), { verdict: 'converged', drift: 'contested', rootCause: null })],
      never: [staysConverged(kustomizationOf('alpha', 'fought'))],
    },
  ],
};
