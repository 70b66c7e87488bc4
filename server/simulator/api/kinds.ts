/** One kind as an API server serves it: at one version. */
export interface ServedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The plural in the URL. */
  readonly resource: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}

/** A kind in RBAC and in fault switches: `kustomizations.kustomize.toolkit.fluxcd.io`, `events` for the core group. */
export type GroupResource = string;

/** Names a kind the way Kubernetes' messages do. */
export function groupResource(kind: Pick<ServedKind, 'group' | 'resource'>): GroupResource {
  return kind.group === '' ? kind.resource : `${kind.resource}.${kind.group}`;
}

/** The apiVersion of a kind's objects. */
export function apiVersion(kind: Pick<ServedKind, 'group' | 'version'>): string {
  return kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
}

type Optional = Partial<Pick<ServedKind, 'shortNames' | 'categories' | 'namespaced'>>;

function served(group: string, version: string, kind: string, resource: string, more: Optional = {}): ServedKind {
  return { group, version, kind, resource, namespaced: true, shortNames: [], categories: [], ...more };
}

const source = 'source.toolkit.fluxcd.io';
const sources = ['all', 'fluxcd', 'fluxcd-sources'];
const appliers = ['all', 'fluxcd', 'fluxcd-appliers'];

/** Kinds that every simulated cluster serves: the core ones that are read, Flux's, and Crossplane's own. */
export const commonKinds = {
  event: served('', 'v1', 'Event', 'events', { shortNames: ['ev'] }),
  namespace: served('', 'v1', 'Namespace', 'namespaces', { namespaced: false, shortNames: ['ns'] }),
  configMap: served('', 'v1', 'ConfigMap', 'configmaps', { shortNames: ['cm'] }),
  secret: served('', 'v1', 'Secret', 'secrets'),
  deployment: served('apps', 'v1', 'Deployment', 'deployments', { shortNames: ['deploy'], categories: ['all'] }),
  lease: served('coordination.k8s.io', 'v1', 'Lease', 'leases'),
  crd: served('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition', 'customresourcedefinitions', {
    namespaced: false,
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
  }),
  kustomization: served('kustomize.toolkit.fluxcd.io', 'v1', 'Kustomization', 'kustomizations', {
    shortNames: ['ks'],
    categories: appliers,
  }),
  helmRelease: served('helm.toolkit.fluxcd.io', 'v2', 'HelmRelease', 'helmreleases', {
    shortNames: ['hr'],
    categories: appliers,
  }),
  gitRepository: served(source, 'v1', 'GitRepository', 'gitrepositories', {
    shortNames: ['gitrepo'],
    categories: sources,
  }),
  ociRepository: served(source, 'v1', 'OCIRepository', 'ocirepositories', {
    shortNames: ['ocirepo'],
    categories: sources,
  }),
  helmRepository: served(source, 'v1', 'HelmRepository', 'helmrepositories', {
    shortNames: ['helmrepo'],
    categories: sources,
  }),
  helmChart: served(source, 'v1', 'HelmChart', 'helmcharts', { shortNames: ['hc'], categories: sources }),
  bucket: served(source, 'v1', 'Bucket', 'buckets', { categories: sources }),
  alert: served('notification.toolkit.fluxcd.io', 'v1beta3', 'Alert', 'alerts', { categories: ['all', 'fluxcd'] }),
  notificationProvider: served('notification.toolkit.fluxcd.io', 'v1beta3', 'Provider', 'providers', {
    categories: ['all', 'fluxcd'],
  }),
  provider: served('pkg.crossplane.io', 'v1', 'Provider', 'providers', {
    namespaced: false,
    categories: ['crossplane', 'pkg'],
  }),
  providerRevision: served('pkg.crossplane.io', 'v1', 'ProviderRevision', 'providerrevisions', {
    namespaced: false,
    categories: ['crossplane', 'pkgrev'],
  }),
  xrd: served('apiextensions.crossplane.io', 'v2', 'CompositeResourceDefinition', 'compositeresourcedefinitions', {
    namespaced: false,
    shortNames: ['xrd', 'xrds'],
    categories: ['crossplane'],
  }),
} as const satisfies { [name: string]: ServedKind };

/** Kinds of what stands beside Flux and Crossplane, where it is installed. */
export const neighbourKinds = {
  artifactGenerator: served('source.extensions.fluxcd.io', 'v1beta1', 'ArtifactGenerator', 'artifactgenerators', {
    shortNames: ['ag'],
  }),
  externalArtifact: served(source, 'v1', 'ExternalArtifact', 'externalartifacts'),
  terraform: served('infra.contrib.fluxcd.io', 'v1alpha2', 'Terraform', 'terraforms', { shortNames: ['tf'] }),
  application: served('argoproj.io', 'v1alpha1', 'Application', 'applications', { shortNames: ['app', 'apps'] }),
  statefulSet: served('apps', 'v1', 'StatefulSet', 'statefulsets', { shortNames: ['sts'], categories: ['all'] }),
} as const satisfies { [name: string]: ServedKind };

/** Kinds of the Prometheus operator. */
export const monitoringKinds = {
  prometheusRule: served('monitoring.coreos.com', 'v1', 'PrometheusRule', 'prometheusrules', {
    shortNames: ['promrule'],
    categories: ['prometheus-operator'],
  }),
} as const satisfies { [name: string]: ServedKind };

/** A kind of a Crossplane provider: cluster-scoped in the older groups, namespaced in the `.m.` ones. */
export function managedKind(group: string, version: string, kind: string, resource: string): ServedKind {
  return served(group, version, kind, resource, {
    namespaced: group.includes('.m.'),
    categories: ['crossplane', 'managed', 'aws'],
  });
}

/** A kind made by a CompositeResourceDefinition. */
export function compositeKind(group: string, kind: string, resource: string, role: 'composite' | 'claim'): ServedKind {
  return served(group, 'v1alpha1', kind, resource, { namespaced: role === 'claim', categories: [role] });
}

/** A namespaced composite of Crossplane 2. */
export function namespacedCompositeKind(group: string, kind: string, resource: string): ServedKind {
  return served(group, 'v1alpha1', kind, resource, { namespaced: true, categories: ['composite'] });
}

/** The ProviderConfig of a provider's family; it has no conditions. */
export function providerConfigKind(group: string): ServedKind {
  return served(group, 'v1beta1', 'ProviderConfig', 'providerconfigs', {
    namespaced: group.includes('.m.'),
    categories: ['crossplane', 'provider', 'aws'],
  });
}
