import { conditionOf } from '../harness/witness.ts';
import type { Look, Situation } from './situation.ts';

/** The controllers' own word, seen by the witness: where this fails, the bed is at fault and not Plumbline. */
function controllersSay(words: { readonly [object: string]: string }, type = 'Ready'): Look {
  return async (stage) =>
    Object.entries(words).flatMap(([object, wanted]) => {
      const [kind = '', name = ''] = object.split('/');
      const seen = stage.witness.last(kind, name);
      const got = seen === null ? 'not seen' : conditionOf(seen.object, type);
      return got === wanted ? [] : [`the bed: ${type} of ${object} is ${got}, not ${wanted}`];
    });
}

/** Whether the fleet stands as the book needs it, whatever Plumbline says. */
export const bedItself: readonly Situation[] = [
  {
    name: 'the bed: Flux',
    expected: 'the controllers say what the book builds on',
    within: 180_000,
    looks: [
      controllersSay({
        'GitRepository/control': 'True Succeeded',
        'GitRepository/other': 'True Succeeded',
        'Kustomization/base': 'True ReconciliationSucceeded',
        'Kustomization/on-other': 'True ReconciliationSucceeded',
        'Kustomization/unknown-kind': 'False ReconciliationFailed',
        'Kustomization/no-path': 'False ArtifactFailed',
        'Kustomization/no-source': 'False ArtifactFailed',
        'Kustomization/on-empty': 'False ArtifactFailed',
        'Kustomization/edge': 'False DependencyNotReady',
      }),
      async (stage) => {
        const failed = stage.witness.first('Kustomization', 'never-ready', 0, (object) =>
          conditionOf(object, 'Ready').startsWith('False HealthCheckFailed'),
        );
        return failed === null ? ['the bed: the health check of never-ready has not failed yet'] : [];
      },
    ],
  },
  {
    name: 'the bed: Helm',
    expected: 'the controllers say what the book builds on',
    needs: ['helm-controller'],
    within: 180_000,
    looks: [
      controllersSay({
        'HelmRelease/hr-plain': 'True InstallSucceeded',
        'HelmRelease/hr-warn': 'True InstallSucceeded',
        'HelmRelease/hr-fix': 'True InstallSucceeded',
      }),
      async (stage) => {
        const failed = stage.witness.first('HelmRelease', 'hr-fails', 0, (object) =>
          conditionOf(object, 'Ready').startsWith('False InstallFailed'),
        );
        return failed === null ? ['the bed: the installation of hr-fails has not failed yet'] : [];
      },
    ],
  },
  {
    name: 'the bed: Crossplane',
    expected: 'the provider says what the book builds on',
    needs: ['provider-nop'],
    within: 180_000,
    looks: [
      controllersSay(
        { 'NopResource/mr-good': 'True ReconcileSuccess', 'NopResource/mr-denied': 'False ReconcileError' },
        'Synced',
      ),
      controllersSay({ 'NopResource/mr-good': 'True' }),
    ],
  },
];
