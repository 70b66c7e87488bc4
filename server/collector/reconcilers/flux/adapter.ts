import { kindsOf, type Adapter } from '../adapter.ts';
import { noCorrections } from '../correction-memory.ts';
import { kustomizationCorrections } from './corrections.ts';
import { observeKustomization } from './kustomization.ts';
import { observeArtifactGenerator, observeSource } from './sources.ts';
import { sourceGroup } from './targets.ts';

const applierGroup = 'kustomize.toolkit.fluxcd.io';
const generatorGroup = 'source.extensions.fluxcd.io';
const namespace = 'flux-system';

/** Flux without its Helm controller: Kustomizations, and sources of every kind, charts included. */
export const flux: Adapter = {
  reconciler: 'flux',
  kinds: [
    ...kindsOf(applierGroup, { kustomizations: 'Kustomization' }),
    ...kindsOf(sourceGroup, {
      gitrepositories: 'GitRepository',
      ocirepositories: 'OCIRepository',
      buckets: 'Bucket',
      helmrepositories: 'HelmRepository',
      helmcharts: 'HelmChart',
      externalartifacts: 'ExternalArtifact',
    }),
    ...kindsOf(generatorGroup, { artifactgenerators: 'ArtifactGenerator' }),
  ],
  controllers: [
    { name: 'kustomize-controller', namespace },
    { name: 'source-controller', namespace },
    { name: 'source-watcher', namespace },
  ],
  observe(object, context) {
    switch (context.kind.group) {
      case applierGroup:
        return observeKustomization(object, context);
      case generatorGroup:
        return observeArtifactGenerator(object, context);
      default:
        return observeSource(object, context);
    }
  },
  corrections(memory, event, observation, now) {
    return observation?.ref.kind === 'Kustomization' || event?.about.kind === 'Kustomization'
      ? kustomizationCorrections(memory, event, observation, now)
      : { memory: memory ?? noCorrections, correction: null };
  },
};
