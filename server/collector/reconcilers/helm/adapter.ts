import type { Adapter } from '../adapter.ts';
import { helmCorrections } from './corrections.ts';
import { observeHelmRelease } from './helm-release.ts';

const group = 'helm.toolkit.fluxcd.io';

/** Flux's helm-controller: HelmReleases. */
export const helm: Adapter = {
  reconciler: 'helm',
  handles: (kind) => kind.group === group && kind.kind === 'HelmRelease',
  observe: observeHelmRelease,
  corrections: helmCorrections,
};
