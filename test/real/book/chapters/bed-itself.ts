import { conditionOf } from '../../harness/witness.ts';
import type { Subject } from '../../harness/plumbline.ts';
import type { Chapter, Check } from '../situation.ts';
import { gitRepositoryOf, inApps, kustomizationOf, titleOf } from '../subjects.ts';

/** The controllers' own word, seen by the witness: where this fails, the bed is at fault and not Plumbline. */
function controllerSays(subject: Subject, words: string, type = 'Ready'): Check {
  const title = `the bed: ${titleOf(subject)}: ${type}=`;
  return {
    expects: `${title}${words}`,
    async find(stage) {
      const seen = stage.witness.last(subject);
      const got = seen === null ? 'not seen' : conditionOf(seen.object, type);
      return { fits: got === words, got: `${title}${got}` };
    },
  };
}

/** The controllers have said so at least once: what fails is tried again, and says something else meanwhile. */
function controllerHasSaid(subject: Subject, words: string): Check {
  const title = `the bed: ${titleOf(subject)}: has said Ready=`;
  return {
    expects: `${title}${words}`,
    async find(stage) {
      const seen = stage.witness.first(subject, 0, (object) => conditionOf(object, 'Ready').startsWith(words));
      return { fits: seen !== null, got: `${title}${seen === null ? 'nothing of the kind' : words}` };
    },
  };
}

/** Checks that the fleet stands as the book needs it, whatever Plumbline says. */
export const bedItself: Chapter = {
  name: 'bed',
  title: 'The bed itself',
  situations: [
    {
      name: 'the bed: Flux',
      within: 180_000,
      checks: [
        controllerSays(gitRepositoryOf('alpha', 'control'), 'True Succeeded'),
        controllerSays(gitRepositoryOf('alpha', 'other'), 'True Succeeded'),
        controllerSays(kustomizationOf('alpha', 'base'), 'True ReconciliationSucceeded'),
        controllerSays(kustomizationOf('alpha', 'on-other'), 'True ReconciliationSucceeded'),
        controllerSays(kustomizationOf('alpha', 'unknown-kind'), 'False ReconciliationFailed'),
        controllerSays(kustomizationOf('alpha', 'no-path'), 'False ArtifactFailed'),
        controllerSays(kustomizationOf('alpha', 'no-source'), 'False ArtifactFailed'),
        controllerSays(kustomizationOf('alpha', 'on-empty'), 'False ArtifactFailed'),
        controllerSays(kustomizationOf('alpha', 'edge'), 'False DependencyNotReady'),
        controllerHasSaid(kustomizationOf('alpha', 'never-ready'), 'False HealthCheckFailed'),
        controllerSays(kustomizationOf('beta', 'base'), 'True ReconciliationSucceeded'),
      ],
    },
    {
      name: 'the bed: Helm',
      needs: ['helm-controller'],
      within: 180_000,
      checks: [
        controllerSays(inApps('HelmRelease', 'hr-plain'), 'True InstallSucceeded'),
        controllerSays(inApps('HelmRelease', 'hr-warn'), 'True InstallSucceeded'),
        controllerSays(inApps('HelmRelease', 'hr-fix'), 'True InstallSucceeded'),
        controllerHasSaid(inApps('HelmRelease', 'hr-fails'), 'False InstallFailed'),
      ],
    },
    {
      name: 'the bed: Crossplane',
      needs: ['provider-nop'],
      within: 180_000,
      checks: [
        controllerSays(inApps('NopResource', 'mr-good'), 'True ReconcileSuccess', 'Synced'),
        controllerSays(inApps('NopResource', 'mr-good'), 'True'),
        controllerSays(inApps('NopResource', 'mr-denied'), 'False ReconcileError', 'Synced'),
      ],
    },
  ],
};
