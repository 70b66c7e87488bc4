import { apiVersion, commonKinds } from '../api/kinds.ts';
import type { ServedKind } from '../api/kinds.ts';
import { kubeTime } from '../api/kube-object.ts';
import type { Random } from '../random.ts';
import type { StatusCondition } from './condition.ts';
import { setManagedFields } from './managed-fields.ts';
import { controllerOwner } from './managed-resource.ts';
import type { CrossplaneObject } from './managed-resource.ts';
import { appliedMetadata } from './metadata.ts';

const version = 'v2.6.0';

function conditions(at: number, said: readonly (readonly [type: string, reason: string])[]): StatusCondition[] {
  return said.map(([type, reason]) => ({
    type,
    status: 'True',
    reason,
    lastTransitionTime: kubeTime(at),
    observedGeneration: 1,
  }));
}

function finish(object: CrossplaneObject, owner: string, at: number): CrossplaneObject {
  setManagedFields(object, { owner, ownerAt: at, controller: 'crossplane', statusAt: at + 30_000 });
  return object;
}

/** A Provider package that is installed and healthy since shortly after `at` (ms). */
export function createProvider(name: string, revision: string, at: number, random: Random): CrossplaneObject {
  const image = `xpkg.upbound.io/upbound/${name.replace(/^upbound-/, '')}:${version}`;
  const object: CrossplaneObject = {
    apiVersion: apiVersion(commonKinds.provider),
    kind: 'Provider',
    metadata: appliedMetadata({ name, namespace: '', deliveredBy: 'crossplane' }, at, random),
    spec: {
      package: image,
      packagePullPolicy: 'IfNotPresent',
      revisionActivationPolicy: 'Automatic',
      revisionHistoryLimit: 1,
    },
    status: {
      conditions: conditions(at + 30_000, [
        ['Healthy', 'HealthyPackageRevision'],
        ['Installed', 'ActivePackageRevision'],
      ]),
      ...{ currentIdentifier: image, currentRevision: revision, resolvedPackage: image },
    },
  };
  return finish(object, 'kustomize-controller', at);
}

/** The active revision of a provider, its runtime healthy, and the kinds that it runs. */
export function createProviderRevision(
  provider: CrossplaneObject,
  name: string,
  runs: readonly ServedKind[],
  at: number,
  random: Random,
): CrossplaneObject {
  const metadata = appliedMetadata({ name, namespace: '', deliveredBy: null }, at, random, [
    'revision.pkg.crossplane.io',
  ]);
  metadata.labels = {
    'pkg.crossplane.io/package': provider.metadata.name,
    'pkg.crossplane.io/provider-family': 'provider-family-aws',
  };
  metadata.ownerReferences = [controllerOwner(provider)];
  const object: CrossplaneObject = {
    apiVersion: apiVersion(commonKinds.providerRevision),
    kind: 'ProviderRevision',
    metadata,
    spec: { desiredState: 'Active', image: provider.spec['package'], revision: 7, packagePullPolicy: 'IfNotPresent' },
    status: {
      conditions: conditions(at + 30_000, [
        ['RevisionHealthy', 'HealthyPackageRevision'],
        ['RuntimeHealthy', 'HealthyPackageRevision'],
      ]),
      ...{
        objectRefs: runs.map((kind) => ({
          apiVersion: 'apiextensions.k8s.io/v1',
          kind: 'CustomResourceDefinition',
          name: `${kind.resource}.${kind.group}`,
        })),
        foundDependencies: 1,
        installedDependencies: 1,
        invalidDependencies: 0,
        resolvedImage: provider.spec['package'],
      },
    },
  };
  return finish(object, 'crossplane', at);
}

/** The definition of a composite and, where it has one, of its claim. */
export function createXrd(
  composite: ServedKind,
  claim: ServedKind | null,
  at: number,
  random: Random,
): CrossplaneObject {
  const names = (kind: ServedKind): object => ({
    kind: kind.kind,
    plural: kind.resource,
    singular: kind.kind.toLowerCase(),
  });
  const said: (readonly [string, string])[] = [['Established', 'WatchingCompositeResource']];
  if (claim) said.push(['Offered', 'WatchingCompositeResourceClaim']);
  const object: CrossplaneObject = {
    apiVersion: apiVersion(commonKinds.xrd),
    kind: 'CompositeResourceDefinition',
    metadata: appliedMetadata(
      { name: `${composite.resource}.${composite.group}`, namespace: '', deliveredBy: 'crossplane' },
      at,
      random,
    ),
    spec: {
      group: composite.group,
      names: names(composite),
      ...(claim ? { claimNames: names(claim) } : {}),
      scope: claim ? 'LegacyCluster' : 'Namespaced',
      versions: [
        { name: composite.version, served: true, referenceable: true, schema: { openAPIV3Schema: { type: 'object' } } },
      ],
    },
    status: {
      conditions: conditions(at + 5000, said),
      ...{ controllers: { compositeResourceType: { apiVersion: apiVersion(composite), kind: composite.kind } } },
    },
  };
  return finish(object, 'kustomize-controller', at);
}
