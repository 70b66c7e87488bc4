import { kindsOf, type Adapter } from '../adapter.ts';
import { noCorrections } from '../correction-run.ts';
import { kustomizationCorrections } from './corrections.ts';
import { imageGroup, notificationGroup, observeHelper } from './image-and-receiver.ts';
import { observeKustomization } from './kustomization.ts';
import { observeOperator, operatorGroup } from './operator.ts';
import { observeArtifactGenerator, observeSource } from './sources.ts';
import { sourceGroup } from './shared-fields.ts';
import { fluxMetric, generatorGroup } from './state-metric.ts';

const applierGroup = 'kustomize.toolkit.fluxcd.io';
const namespace = 'flux-system';

/** Flux without its Helm controller: Kustomizations, sources of every kind, charts included, image automation, Receivers, flux-operator. */
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
    ...kindsOf(imageGroup, {
      imagerepositories: 'ImageRepository',
      imagepolicies: 'ImagePolicy',
      imageupdateautomations: 'ImageUpdateAutomation',
    }),
    ...kindsOf(notificationGroup, { receivers: 'Receiver' }),
    ...kindsOf(operatorGroup, {
      fluxinstances: 'FluxInstance',
      resourcesets: 'ResourceSet',
      resourcesetinputproviders: 'ResourceSetInputProvider',
    }),
  ],
  unjudged: [{ group: operatorGroup, kind: 'FluxReport', why: 'it only reports on others' }],
  controllers: [
    { name: 'kustomize-controller', namespace, suite: 'flux' },
    { name: 'source-controller', namespace, suite: 'flux' },
    { name: 'source-watcher', namespace, suite: 'flux' },
    { name: 'image-reflector-controller', namespace, suite: 'flux' },
    { name: 'image-automation-controller', namespace, suite: 'flux' },
    { name: 'notification-controller', namespace, suite: 'flux' },
    { name: 'flux-operator', namespace, lease: 'flux-operator' },
  ],
  metricOf: () => fluxMetric,
  observe(object, context) {
    switch (context.kind.group) {
      case applierGroup:
        return observeKustomization(object, context);
      case generatorGroup:
        return observeArtifactGenerator(object, context);
      case imageGroup:
      case notificationGroup:
        return observeHelper(object, context);
      case operatorGroup:
        return observeOperator(object, context);
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
