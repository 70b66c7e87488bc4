import { apiVersion } from './kinds.ts';
import type { ServedKind } from './kinds.ts';
import { jsonAnswer, pageNotFound } from './status.ts';
import type { Answer } from './status.ts';

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

/** Groups that every API server has and in which nothing is listed here. */
const reviewResources = [
  {
    group: 'authorization.k8s.io',
    version: 'v1',
    kind: 'SelfSubjectAccessReview',
    resource: 'selfsubjectaccessreviews',
  },
  { group: 'authorization.k8s.io', version: 'v1', kind: 'SelfSubjectRulesReview', resource: 'selfsubjectrulesreviews' },
];

/** True if a client asks for aggregated discovery (apidiscovery.k8s.io/v2). */
export function wantsAggregated(accept: string): boolean {
  return accept
    .split(',')
    .some((part) => part.includes('as=APIGroupDiscoveryList') && part.includes('v=v2') && !part.includes('v=v2beta1'));
}

function versionsOf(kinds: readonly ServedKind[]): Map<string, Map<string, ServedKind[]>> {
  const groups = new Map<string, Map<string, ServedKind[]>>();
  for (const kind of kinds) {
    const versions = groups.get(kind.group) ?? new Map<string, ServedKind[]>();
    versions.set(kind.version, [...(versions.get(kind.version) ?? []), kind]);
    groups.set(kind.group, versions);
  }
  return groups;
}

function aggregatedResource(kind: ServedKind): object {
  const responseKind = { group: kind.group, version: kind.version, kind: kind.kind };
  return {
    resource: kind.resource,
    responseKind,
    scope: kind.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: kind.kind.toLowerCase(),
    verbs,
    ...(kind.shortNames.length > 0 ? { shortNames: kind.shortNames } : {}),
    ...(kind.categories.length > 0 ? { categories: kind.categories } : {}),
    subresources: [{ subresource: 'status', responseKind, verbs: ['get', 'patch', 'update'] }],
  };
}

function aggregatedReviews(): object {
  return {
    metadata: { name: 'authorization.k8s.io', creationTimestamp: null },
    versions: [
      {
        version: 'v1',
        resources: reviewResources.map(({ group, version, kind, resource }) => ({
          resource,
          responseKind: { group, version, kind },
          scope: 'Cluster',
          singularResource: kind.toLowerCase(),
          verbs: ['create'],
        })),
        freshness: 'Current',
      },
    ],
  };
}

/** Answers /api (core) or /apis (all others) in the aggregated form: every kind with its categories, in one request. */
export function aggregatedDiscovery(kinds: readonly ServedKind[], core: boolean): Answer {
  const groups = [...versionsOf(kinds.filter((kind) => (kind.group === '') === core))];
  const items = groups.map(([name, versions]) => ({
    metadata: { name, creationTimestamp: null },
    versions: [...versions].map(([version, served]) => ({
      version,
      resources: served.map(aggregatedResource),
      freshness: 'Current',
    })),
  }));
  const all = core ? items : [...items, aggregatedReviews()];
  const list = { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items: all };
  return jsonAnswer(list, 200, aggregated);
}

/** Answers /api in the older form. */
export function coreVersions(): Answer {
  const serverAddressByClientCIDRs = [{ clientCIDR: '0.0.0.0/0', serverAddress: '127.0.0.1' }];
  return jsonAnswer({ kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs });
}

function apiGroup(name: string, versions: Iterable<string>): object {
  const list = [...versions].map((version) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: list, preferredVersion: list[0] };
}

/** Answers /apis in the older form: groups and their versions, without kinds. */
export function groupList(kinds: readonly ServedKind[]): Answer {
  const groups = [...versionsOf(kinds)]
    .filter(([name]) => name !== '')
    .map(([name, versions]) => apiGroup(name, versions.keys()));
  groups.push(apiGroup('authorization.k8s.io', ['v1']));
  return jsonAnswer({ kind: 'APIGroupList', apiVersion: 'v1', groups });
}

/** Answers /apis/{group}. */
export function oneGroup(kinds: readonly ServedKind[], group: string): Answer {
  if (group === 'authorization.k8s.io')
    return jsonAnswer({ kind: 'APIGroup', apiVersion: 'v1', ...apiGroup(group, ['v1']) });
  const versions = versionsOf(kinds).get(group);
  if (!versions) return pageNotFound;
  return jsonAnswer({ kind: 'APIGroup', apiVersion: 'v1', ...apiGroup(group, versions.keys()) });
}

/** Answers /api/v1 and /apis/{group}/{version}: the kinds of one version, with their categories. */
export function resourceList(kinds: readonly ServedKind[], group: string, version: string): Answer {
  const served = versionsOf(kinds).get(group)?.get(version);
  if (!served && group !== 'authorization.k8s.io') return pageNotFound;
  const resources = (served ?? []).flatMap((kind) => {
    const entry = {
      name: kind.resource,
      singularName: kind.kind.toLowerCase(),
      namespaced: kind.namespaced,
      kind: kind.kind,
    };
    const names = kind.shortNames.length > 0 ? { shortNames: kind.shortNames } : {};
    const categories = kind.categories.length > 0 ? { categories: kind.categories } : {};
    const status = { ...entry, name: `${kind.resource}/status`, singularName: '', verbs: ['get', 'patch', 'update'] };
    return [{ ...entry, verbs, ...names, ...categories }, status];
  });
  const reviews = served
    ? []
    : reviewResources.map(({ kind, resource }) => ({
        name: resource,
        singularName: '',
        namespaced: false,
        kind,
        verbs: ['create'],
      }));
  const groupVersion = apiVersion({ group, version });
  return jsonAnswer({ kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources: [...resources, ...reviews] });
}
