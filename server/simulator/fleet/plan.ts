/** One cluster of the demo's fleet. */
export interface ClusterPlan {
  readonly name: string;
  readonly environment: 'production' | 'staging' | 'sandbox';
  readonly region: string;
  /** The region of the cloud that its managed resources live in. */
  readonly cloudRegion: string;
}

/** One Kustomization that every cluster of the demo has. */
export interface Component {
  readonly name: string;
  readonly layer: 'infrastructure' | 'apps';
  readonly dependsOn: readonly string[];
  readonly wait: boolean;
  /** Delivered as an OCI artifact instead of from the control repository. */
  readonly oci?: string;
  readonly release?: ReleasePlan;
  /** First version in the control repository. */
  readonly version: string;
  readonly namespace: string;
  readonly workloads: readonly string[];
  /** Fields of its Kustomization's spec that weaken the guarantee. */
  readonly weakened?: object;
}

/** The HelmRelease that a component brings. */
export interface ReleasePlan {
  readonly name: string;
  readonly version: string;
  readonly repository: string;
  readonly url: string;
  readonly driftDetection: 'enabled' | 'warn' | null;
  /** Declared version of the chart, where that is a range. */
  readonly range?: string;
  /** Fields of its spec that weaken the guarantee. */
  readonly weakened?: object;
}

function production(name: string, region: string): ClusterPlan {
  const cloudRegion = name.replace(/[ab]$/, '');
  return { name, environment: 'production', region, cloudRegion };
}

/** The demo's clusters, in the order of their names' importance to a person. */
export const demoClusters: readonly ClusterPlan[] = [
  production('eu-west-3', 'eu'),
  production('us-east-2', 'us'),
  production('eu-central-1b', 'eu'),
  production('ap-south-1', 'ap'),
  production('ap-northeast-1', 'ap'),
  production('us-east-1', 'us'),
  production('eu-central-1a', 'eu'),
  production('us-west-2', 'us'),
  { name: 'stg-us', environment: 'staging', region: 'us', cloudRegion: 'us-east-1' },
  { name: 'stg-edge', environment: 'staging', region: 'eu', cloudRegion: 'eu-west-1' },
  { name: 'stg-eu', environment: 'staging', region: 'eu', cloudRegion: 'eu-central-1' },
  { name: 'stg-ap', environment: 'staging', region: 'ap', cloudRegion: 'ap-south-1' },
  { name: 'sbx-1', environment: 'sandbox', region: 'eu', cloudRegion: 'eu-west-1' },
  { name: 'sbx-2', environment: 'sandbox', region: 'us', cloudRegion: 'us-east-2' },
];

function release(
  name: string,
  version: string,
  repository: string,
  url: string,
  driftDetection: ReleasePlan['driftDetection'],
  more: Pick<ReleasePlan, 'range' | 'weakened'> = {},
): ReleasePlan {
  return { name, version, repository, url, driftDetection, ...more };
}

type Traits = Partial<Omit<Component, 'name' | 'layer' | 'version'>>;

function infrastructure(name: string, version: string, traits: Traits): Component {
  const usual = { dependsOn: ['crds'], wait: false, namespace: name, workloads: [] };
  return { name, layer: 'infrastructure', version, ...usual, ...traits };
}

function app(name: string, version: string, traits: Traits = {}): Component {
  const workloads = [`${name}-api`, `${name}-worker`];
  const usual = { dependsOn: ['ingress-nginx'], wait: false, namespace: name, workloads };
  return { name, layer: 'apps', version, ...usual, ...traits };
}

/** The demo's Kustomizations, each after what it depends on. */
export const components: readonly Component[] = [
  infrastructure('crds', '2026.42', { dependsOn: [], namespace: 'flux-system', weakened: { force: true } }),
  infrastructure('cert-manager', '1.16.2', {
    workloads: ['cluster-issuers'],
    release: release('cert-manager', '1.16.2', 'jetstack', 'https://charts.jetstack.io', 'enabled', {
      weakened: { upgrade: { remediation: { retries: -1 } } },
    }),
  }),
  infrastructure('external-dns', '1.15.0', {
    workloads: ['zones'],
    release: release(
      'external-dns',
      '1.15.0',
      'external-dns',
      'https://kubernetes-sigs.github.io/external-dns',
      'enabled',
      { weakened: { valuesFrom: [{ kind: 'Secret', name: 'dns-zones', optional: true }] } },
    ),
  }),
  infrastructure('ingress-nginx', '4.12.0', {
    dependsOn: ['cert-manager'],
    workloads: ['default-backend'],
    release: release('ingress-nginx', '4.12.0', 'ingress-nginx', 'https://kubernetes.github.io/ingress-nginx', null, {
      range: '4.x',
    }),
  }),
  infrastructure('monitoring', '66.3.0', {
    wait: true,
    workloads: ['blackbox-exporter', 'alert-rules'],
    weakened: { postBuild: { substituteFrom: [{ kind: 'ConfigMap', name: 'cluster-settings' }] } },
    release: release(
      'kube-prometheus-stack',
      '66.3.0',
      'prometheus-community',
      'https://prometheus-community.github.io/helm-charts',
      'enabled',
      { weakened: { install: { disableWait: true } } },
    ),
  }),
  infrastructure('policy', '3.8.1', {
    oci: 'policy-bundle',
    workloads: ['admission-policies'],
    weakened: { deletionPolicy: 'Orphan' },
  }),
  infrastructure('crossplane', '2.3.3', { namespace: 'crossplane-system' }),
  app('checkout', '2.14.0', { dependsOn: ['ingress-nginx', 'crossplane'], wait: true }),
  app('catalogue', '5.2.1'),
  app('search', '3.31.0', {
    wait: true,
    weakened: { ignore: [{ paths: ['/spec/replicas'], target: { kind: 'Deployment' } }] },
  }),
  app('accounts', '1.9.4', {
    dependsOn: ['ingress-nginx', 'crossplane'],
    weakened: { decryption: { provider: 'sops', secretRef: { name: 'sops-keys' } } },
  }),
  app('mail', '0.18.2', {
    workloads: ['mail-templates'],
    release: release('mail', '0.18.2', 'acme', 'https://charts.acme.example', 'warn'),
  }),
  app('web', '11.4.0', {
    dependsOn: ['checkout'],
    workloads: ['web', 'web-assets'],
    weakened: { images: [{ name: 'web', newTag: '11.4.0' }] },
  }),
];

/** The component of a name; throws where the demo has none. */
export function componentOf(name: string): Component {
  const found = components.find((one) => one.name === name);
  if (!found) throw new Error(`the demo has no component ${name}`);
  return found;
}

/** The directory of a component of a cluster in the control repository, without a leading ./ */
export function componentPath(cluster: ClusterPlan, component: string): string {
  const layer = components.find((one) => one.name === component)?.layer ?? 'apps';
  return `clusters/${cluster.environment}/${cluster.name}/${layer}/${component}`;
}

/** Where two components of a cluster both bring one object, and rewrite it on every pass. */
export const overlap = {
  cluster: 'us-east-1',
  components: ['catalogue', 'web'],
  id: 'web_web-assets-config__ConfigMap',
  resource: 'ConfigMap/web/web-assets-config',
} as const;

/** Where a bucket is managed twice: by its old kind, and by the namespaced one that it is being moved to. */
export const movedBucket = { cluster: 'eu-central-1a', team: 'media' } as const;
