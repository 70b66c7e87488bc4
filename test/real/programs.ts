/** One program of the bed: a folder in `programs/` whose go.mod and go.sum lock it, and what is built from it. */
export interface Program {
  readonly name: ProgramName;
  /** What `go build` builds. */
  readonly package: string;
  /** Where its CRDs lie: a module and a folder in it; null where it brings none. */
  readonly crds: { readonly module: string; readonly folder: string } | null;
  /** What cannot be shown without it, for people. */
  readonly shows: string;
}

export const programNames = [
  'etcd',
  'kube-apiserver',
  'kubectl',
  'source-controller',
  'kustomize-controller',
  'helm-controller',
  'crossplane',
  'provider-nop',
] as const;
/** Name of a program, of its folder and of its binary. */
export type ProgramName = (typeof programNames)[number];

/** Every program of the bed, in the order in which they are built. */
export const programs: readonly Program[] = [
  { name: 'etcd', package: 'go.etcd.io/etcd/server/v3', crds: null, shows: 'everything' },
  { name: 'kube-apiserver', package: 'k8s.io/kubernetes/cmd/kube-apiserver', crds: null, shows: 'everything' },
  { name: 'kubectl', package: 'k8s.io/kubernetes/cmd/kubectl', crds: null, shows: 'edits by hand' },
  {
    name: 'source-controller',
    package: 'github.com/fluxcd/source-controller',
    crds: { module: 'github.com/fluxcd/source-controller', folder: 'config/crd/bases' },
    shows: 'everything of Flux',
  },
  {
    name: 'kustomize-controller',
    package: 'github.com/fluxcd/kustomize-controller',
    crds: { module: 'github.com/fluxcd/kustomize-controller', folder: 'config/crd/bases' },
    shows: 'Kustomizations',
  },
  {
    name: 'helm-controller',
    package: 'github.com/fluxcd/helm-controller',
    crds: { module: 'github.com/fluxcd/helm-controller', folder: 'config/crd/bases' },
    shows: 'HelmReleases',
  },
  {
    name: 'crossplane',
    package: 'github.com/crossplane/crossplane/v2/cmd/crossplane',
    crds: { module: 'github.com/crossplane/crossplane/v2', folder: 'cluster/crds' },
    shows: 'composites',
  },
  {
    name: 'provider-nop',
    package: 'github.com/crossplane-contrib/provider-nop/cmd/provider',
    crds: { module: 'github.com/crossplane-contrib/provider-nop', folder: 'package/crds' },
    shows: 'managed resources',
  },
];
