import type { Adapter } from '../adapter.ts';
import { noCorrections } from '../correction-memory.ts';
import { envelope, unrecognised } from '../envelope.ts';
import { kustomizationCorrections } from './corrections.ts';
import { observeKustomization } from './kustomization.ts';
import { observeArtifactGenerator, observeSource } from './sources.ts';
import { sourceGroup } from './targets.ts';

const applierGroup = 'kustomize.toolkit.fluxcd.io';
const generatorGroup = 'source.extensions.fluxcd.io';
const sourceKinds = ['GitRepository', 'OCIRepository', 'HelmRepository', 'HelmChart', 'Bucket', 'ExternalArtifact'];

/** Flux without its Helm controller: Kustomizations, and sources of every kind, charts included. */
export const flux: Adapter = {
  reconciler: 'flux',
  handles({ group, kind }) {
    if (group === sourceGroup) return sourceKinds.includes(kind);
    return (
      (group === applierGroup && kind === 'Kustomization') || (group === generatorGroup && kind === 'ArtifactGenerator')
    );
  },
  observe(object, context) {
    const { group, kind } = context.kind;
    if (group === applierGroup) return observeKustomization(object, context);
    if (group === generatorGroup) return observeArtifactGenerator(object, context);
    if (sourceKinds.includes(kind)) return observeSource(object, context);
    return {
      ...envelope(object, context, 'flux', 'source'),
      word: unrecognised(`${kind} is no kind of Flux that is known here`),
    };
  },
  corrections(memory, event, observation, now) {
    return observation?.ref.kind === 'Kustomization' || event?.about.kind === 'Kustomization'
      ? kustomizationCorrections(memory, event, observation, now)
      : { memory: memory ?? noCorrections, correction: null };
  },
};
