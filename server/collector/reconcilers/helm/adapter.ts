import { kindsOf, type Adapter } from '../adapter.ts';
import { helmCorrections } from './corrections.ts';
import { observeHelmRelease } from './helm-release.ts';

/** Flux's helm-controller: HelmReleases. */
export const helm: Adapter = {
  reconciler: 'helm',
  kinds: kindsOf('helm.toolkit.fluxcd.io', { helmreleases: 'HelmRelease' }),
  controllers: [{ name: 'helm-controller', namespace: 'flux-system' }],
  observe: observeHelmRelease,
  corrections: helmCorrections,
};
