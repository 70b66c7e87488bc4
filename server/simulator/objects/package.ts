import { apiVersion, commonKinds } from '../api/kinds.ts';
import type { ServedKind } from '../api/kinds.ts';
import type { Random } from '../random.ts';
import { say } from './condition.ts';
import { setManagedFields } from './managed-fields.ts';
import { controllerOwner } from './managed-resource.ts';
import type { CrossplaneObject } from './managed-resource.ts';
import { appliedObject } from './metadata.ts';

const version = 'v2.6.0';

/** The fields of a Provider's status beside its conditions. */
interface ProviderStatus {
  readonly currentIdentifier: string;
  readonly currentRevision: string;
  readonly resolvedPackage: string;
}

/** The same of a ProviderRevision. */
interface RevisionStatus {
  readonly objectRefs: readonly { readonly apiVersion: string; readonly kind: string; readonly name: string }[];
  readonly foundDependencies: number;
  readonly installedDependencies: number;
  readonly invalidDependencies: number;
  readonly resolvedImage: unknown;
}

/** The same of a definition. */
interface DefinitionStatus {
  readonly controllers: { readonly compositeResourceType: { readonly apiVersion: string; readonly kind: string } };
}

function finish(object: CrossplaneObject, at: number, owner?: string): CrossplaneObject {
  setManagedFields(object, { ...(owner ? { owner } : {}), controller: 'crossplane', statusAt: at + 30_000 });
  return object;
}

/** A Provider package that is installed and healthy since shortly after `at` (ms). */
export function createProvider(name: string, revision: string, at: number, random: Random): CrossplaneObject {
  const image = `xpkg.upbound.io/upbound/${name.replace(/^upbound-/, '')}:${version}`;
  const object: CrossplaneObject<ProviderStatus> = {
    ...appliedObject(commonKinds.provider, { name, deliveredBy: 'crossplane' }, at, random),
    spec: {
      package: image,
      packagePullPolicy: 'IfNotPresent',
      revisionActivationPolicy: 'Automatic',
      revisionHistoryLimit: 1,
    },
    status: { conditions: [], currentIdentifier: image, currentRevision: revision, resolvedPackage: image },
  };
  const healthy = ['Healthy', 'True', 'HealthyPackageRevision'] as const;
  say(object, at + 30_000, healthy, ['Installed', 'True', 'ActivePackageRevision']);
  return finish(object, at);
}

/** The active revision of a provider, its runtime healthy, and the kinds that it runs. */
export function createProviderRevision(
  provider: CrossplaneObject,
  name: string,
  runs: readonly ServedKind[],
  at: number,
  random: Random,
): CrossplaneObject {
  const applied = appliedObject(commonKinds.providerRevision, { name }, at, random, 'revision.pkg.crossplane.io');
  const { metadata } = applied;
  metadata.labels = {
    'pkg.crossplane.io/package': provider.metadata.name,
    'pkg.crossplane.io/provider-family': 'provider-family-aws',
  };
  metadata.ownerReferences = [controllerOwner(provider)];
  const object: CrossplaneObject<RevisionStatus> = {
    ...applied,
    spec: { desiredState: 'Active', image: provider.spec['package'], revision: 7, packagePullPolicy: 'IfNotPresent' },
    status: {
      conditions: [],
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
  };
  const healthy = ['True', 'HealthyPackageRevision'] as const;
  say(object, at + 30_000, ['RevisionHealthy', ...healthy], ['RuntimeHealthy', ...healthy]);
  return finish(object, at, 'crossplane');
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
  const name = `${composite.resource}.${composite.group}`;
  const object: CrossplaneObject<DefinitionStatus> = {
    ...appliedObject(commonKinds.xrd, { name, deliveredBy: 'crossplane' }, at, random),
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
      conditions: [],
      controllers: { compositeResourceType: { apiVersion: apiVersion(composite), kind: composite.kind } },
    },
  };
  say(object, at + 5000, ['Established', 'True', 'WatchingCompositeResource']);
  if (claim) say(object, at + 5000, ['Offered', 'True', 'WatchingCompositeResourceClaim']);
  return finish(object, at);
}
