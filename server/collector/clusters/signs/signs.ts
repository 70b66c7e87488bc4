import type { GroupKind } from '#lib/domain/observation/ref.ts';
import { controllerNamespaces } from '../../reconcilers/registry.ts';
import { startArgoSigns } from './argo-liveness.ts';
import { startLivenessProbes } from './liveness-probes.ts';
import type { SignDeps } from './sign-reader.ts';

/** Everything that shows on one cluster that controllers live. Starts to read the signs of life of one cluster. */
export function startSigns(deps: SignDeps) {
  const probes = startLivenessProbes({ ...deps, namespaces: controllerNamespaces });
  let argo: ReturnType<typeof startArgoSigns> | null = null;
  return {
    /** Argo CD's are read once its Applications are served. */
    onKinds(kinds: readonly GroupKind[]): void {
      if (kinds.some(({ group, kind }) => group === 'argoproj.io' && kind === 'Application'))
        argo ??= startArgoSigns(deps);
    },
    /** The cluster is seen again: everything is looked at at once. */
    again(): void {
      argo?.again();
      probes.again();
    },
    async stop(): Promise<void> {
      await Promise.all([probes.stop(), argo?.stop()]);
    },
  };
}
