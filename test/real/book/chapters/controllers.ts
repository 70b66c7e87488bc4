import { configMapFile } from '../../fixtures/control-files.ts';
import {
  commits,
  helmReleaseAt,
  inTurn,
  kills,
  kustomizationAt,
  merges,
  nopResourceAt,
  removes,
  revives,
} from '../deeds.ts';
import { controllerIs } from '../looks/places.ts';
import { isGone, says } from '../looks/says.ts';
import type { Chapter } from '../situation.ts';
import { gitRepositoryOf, inApps, kustomizationOf, ofAlpha, staysConverged } from '../subjects.ts';

const release = (name: string) => inApps('HelmRelease', name);
const managed = (name: string) => inApps('NopResource', name);
const betaUntouched = staysConverged(kustomizationOf('beta', 'base'));

/** The kustomize-controller dies, and people go on working meanwhile. */
export const kustomizeController: Chapter = {
  name: 'kustomize-controller',
  title: 'The kustomize-controller dies',
  situations: [
    {
      name: 'the kustomize-controller is killed, and a commit arrives',
      within: 120_000,
      act: inTurn(
        kills('kustomize-controller-alpha'),
        commits('control', 'unattended', 'Commit while nobody applies', {
          'clusters/production/rolling/configmap.yaml': configMapFile('rolling', 'third'),
        }),
      ),
      looks: [
        controllerIs('alpha', 'kustomize-controller', 'dead'),
        ...['base', 'rolling', 'prune-off', 'tenant-a', 'daily'].map((name) =>
          says(kustomizationOf('alpha', name), {
            verdict: 'stale',
            was: 'converged',
            rootCause: 'kustomize-controller',
            confirmation: 'none',
            away: true,
          }),
        ),
        says(kustomizationOf('alpha', 'unknown-kind'), {
          verdict: 'stale',
          was: 'diverged',
          rootCause: 'kustomize-controller',
        }),
        says(gitRepositoryOf('alpha', 'control'), { verdict: 'converged', commit: 'unattended' }),
        says(kustomizationOf('beta', 'base'), { verdict: 'converged', commit: 'unattended' }),
      ],
      never: [staysConverged(gitRepositoryOf('alpha', 'control')), betaUntouched],
    },
    {
      name: 'a spec is edited while its controller is dead',
      within: 30_000,
      act: merges('alpha', kustomizationAt('ledger'), { spec: { path: './clusters/production/spare' } }),
      looks: [
        says(kustomizationOf('alpha', 'ledger'), {
          verdict: 'stale',
          rootCause: 'kustomize-controller',
          away: true,
        }),
      ],
      never: [{ subject: kustomizationOf('alpha', 'ledger'), verdicts: ['converged', 'diverged'] }],
    },
    {
      name: 'a Kustomization is suspended while its controller is dead',
      within: 30_000,
      act: merges('alpha', kustomizationAt('daily'), { spec: { suspend: true } }),
      looks: [says(kustomizationOf('alpha', 'daily'), { verdict: 'suspended', was: 'converged', guarantee: 'off' })],
    },
    {
      name: 'a Kustomization is deleted while its controller is dead: it hangs',
      within: 30_000,
      act: removes('alpha', kustomizationAt('prune-off')),
      looks: [
        says(kustomizationOf('alpha', 'prune-off'), {
          verdict: 'stale',
          was: 'progressing',
          rootCause: 'kustomize-controller',
        }),
      ],
      never: [{ subject: kustomizationOf('alpha', 'prune-off'), verdicts: ['converged', 'diverged'] }],
    },
    {
      name: 'the kustomize-controller is back: it takes the commit, the edit and the deletion that had come meanwhile',
      within: 180_000,
      act: revives('kustomize-controller-alpha'),
      looks: [
        controllerIs('alpha', 'kustomize-controller', 'alive'),
        ...['base', 'rolling', 'tenant-a'].map((name) =>
          says(kustomizationOf('alpha', name), { verdict: 'converged', rootCause: null, commit: 'unattended' }),
        ),
        says(kustomizationOf('alpha', 'ledger'), { verdict: 'converged', path: 'clusters/production/spare' }),
        says(kustomizationOf('alpha', 'unknown-kind'), { verdict: 'diverged', rootCause: null }),
        isGone(kustomizationOf('alpha', 'prune-off')),
      ],
      never: [betaUntouched],
    },
  ],
};

/** One shard's controller dies, the one beside it does not. */
export const shards: Chapter = {
  name: 'shards',
  title: 'The controller of a shard dies',
  situations: [
    {
      name: 'the kustomize-controller of a shard is killed',
      within: 120_000,
      act: kills('kustomize-controller-shard1-beta'),
      looks: [
        controllerIs('beta', 'kustomize-controller-shard1', 'dead'),
        controllerIs('beta', 'kustomize-controller', 'alive'),
        says(kustomizationOf('beta', 'sharded'), {
          verdict: 'stale',
          was: 'converged',
          rootCause: 'kustomize-controller-shard1',
          away: true,
        }),
        says(kustomizationOf('beta', 'base'), { verdict: 'converged', rootCause: null }),
      ],
      never: [betaUntouched],
    },
    {
      name: 'the kustomize-controller of the shard is back',
      within: 150_000,
      act: revives('kustomize-controller-shard1-beta'),
      looks: [says(kustomizationOf('beta', 'sharded'), { verdict: 'converged', rootCause: null })],
      never: [betaUntouched],
    },
  ],
};

/** The helm-controller dies. */
export const helmController: Chapter = {
  name: 'helm-controller',
  title: 'The helm-controller dies',
  situations: [
    {
      name: 'the helm-controller is killed',
      needs: ['helm-controller'],
      within: 120_000,
      act: kills('helm-controller-alpha'),
      looks: [
        controllerIs('alpha', 'helm-controller', 'dead'),
        ...['hr-plain', 'hr-fix'].map((name) =>
          says(release(name), { verdict: 'stale', was: 'converged', rootCause: 'helm-controller', away: true }),
        ),
        says(release('hr-fails'), { verdict: 'stale', was: 'diverged', rootCause: 'helm-controller' }),
        says(gitRepositoryOf('alpha', 'quiet'), { verdict: 'converged' }),
      ],
      never: [staysConverged(gitRepositoryOf('alpha', 'quiet'))],
    },
    {
      name: 'values are edited while the helm-controller is dead',
      needs: ['helm-controller'],
      within: 30_000,
      act: merges('alpha', helmReleaseAt('hr-fix'), { spec: { values: { value: 'edited' } } }),
      looks: [says(release('hr-fix'), { verdict: 'stale', rootCause: 'helm-controller', away: true })],
      never: [{ subject: release('hr-fix'), verdicts: ['converged', 'diverged'] }],
    },
    {
      name: 'the helm-controller is back',
      needs: ['helm-controller'],
      within: 180_000,
      act: revives('helm-controller-alpha'),
      looks: [
        controllerIs('alpha', 'helm-controller', 'alive'),
        says(release('hr-plain'), { verdict: 'converged', rootCause: null }),
        says(release('hr-fix'), { verdict: 'converged', reason: 'UpgradeSucceeded', rootCause: null }),
      ],
    },
  ],
};

/** The provider of managed resources dies, whose package was installed before. */
export const provider: Chapter = {
  name: 'provider',
  title: 'A provider dies',
  after: ['crossplane'],
  situations: [
    {
      name: 'the provider is killed',
      needs: ['crossplane', 'provider-nop'],
      within: 120_000,
      act: kills('provider-nop-alpha'),
      looks: [
        says(ofAlpha('Provider', 'provider-nop'), { verdict: 'unhealthy', away: true }),
        says(managed('mr-good'), { verdict: 'stale', was: 'converged', away: true, confirmation: 'none' }),
        says(managed('mr-denied'), { verdict: 'stale', was: 'diverged' }),
      ],
      never: [{ subject: managed('mr-good'), verdicts: ['diverged', 'unobserved'] }],
    },
    {
      name: 'a managed resource is edited while its provider is dead',
      needs: ['crossplane', 'provider-nop'],
      within: 30_000,
      act: merges('alpha', nopResourceAt('mr-good'), { spec: { forProvider: { fields: { size: 'large' } } } }),
      looks: [says(managed('mr-good'), { verdict: 'stale', away: true })],
      never: [{ subject: managed('mr-good'), verdicts: ['converged', 'diverged'] }],
    },
    {
      name: 'a managed resource is deleted while its provider is dead: it hangs',
      needs: ['crossplane', 'provider-nop'],
      within: 30_000,
      act: removes('alpha', nopResourceAt('mr-denied')),
      looks: [says(managed('mr-denied'), { verdict: 'stale', was: 'progressing' })],
    },
    {
      name: 'the provider is back',
      needs: ['crossplane', 'provider-nop'],
      within: 150_000,
      act: revives('provider-nop-alpha'),
      looks: [
        says(ofAlpha('Provider', 'provider-nop'), { verdict: 'converged' }),
        says(managed('mr-good'), { verdict: 'converged', rootCause: null }),
      ],
    },
  ],
};

/** The source-controller dies: nothing new comes from git. */
export const sourceController: Chapter = {
  name: 'source-controller',
  title: 'The source-controller dies',
  situations: [
    {
      name: 'the source-controller is killed',
      within: 120_000,
      act: kills('source-controller-alpha'),
      looks: [
        controllerIs('alpha', 'source-controller', 'dead'),
        says(gitRepositoryOf('alpha', 'control'), {
          verdict: 'stale',
          was: 'converged',
          rootCause: 'source-controller',
          away: true,
        }),
        ...['base', 'tenant-a'].map((name) =>
          says(kustomizationOf('alpha', name), {
            verdict: 'stale',
            was: 'converged',
            rootCause: 'source-controller',
            confirmation: 'pass',
            away: true,
          }),
        ),
        says(release('hr-plain'), { verdict: 'stale', was: 'converged', rootCause: 'source-controller' }),
      ],
      never: [{ subject: kustomizationOf('alpha', 'base'), verdicts: ['diverged', 'unobserved', 'unconfirmed'] }],
    },
    {
      name: 'the source-controller is back',
      within: 180_000,
      act: revives('source-controller-alpha'),
      looks: [
        controllerIs('alpha', 'source-controller', 'alive'),
        ...['base', 'tenant-a'].map((name) =>
          says(kustomizationOf('alpha', name), { verdict: 'converged', rootCause: null }),
        ),
        says(release('hr-plain'), { verdict: 'converged', rootCause: null }),
      ],
    },
  ],
};

/** Crossplane's core dies: composites and claims depend on it, managed resources on their provider. */
export const core: Chapter = {
  name: 'core',
  title: "Crossplane's core dies",
  after: ['crossplane'],
  situations: [
    {
      name: "Crossplane's core is killed",
      needs: ['crossplane', 'provider-nop'],
      within: 150_000,
      act: kills('crossplane-alpha'),
      looks: [
        controllerIs('alpha', 'crossplane', 'dead'),
        says(inApps('Store', 'corner'), { verdict: 'stale', was: 'diverged', rootCause: 'crossplane' }),
        says(managed('mr-good'), { verdict: 'converged', rootCause: null }),
      ],
      never: [staysConverged(managed('mr-good'))],
    },
    {
      name: "Crossplane's core is back",
      needs: ['crossplane', 'provider-nop'],
      within: 180_000,
      act: revives('crossplane-alpha'),
      looks: [controllerIs('alpha', 'crossplane', 'alive'), says(inApps('Store', 'corner'), { verdict: 'diverged' })],
    },
  ],
};
