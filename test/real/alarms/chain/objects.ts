import type { Manifest } from '../../harness/kube-client.ts';

/** A namespace of a team with one object that is away, and the link at which its alarm breaks. */
export const teams = [
  'called',
  'elsewhere',
  'fails',
  'asleep',
  'late',
  'resets',
  'undelivered',
  'silenced',
  'inhibited',
  'muted',
  'unheard',
  'unrouted',
] as const;
export type Team = (typeof teams)[number];

/** Namespace of objects that no team's rule is about: a source, a managed resource, what is suspended. */
export const platform = 'platform';

/** Files of the repository `control`. */
export const controlFiles = {
  'empty/kustomization.yaml': 'resources: []\n',
  'never-ready/kustomization.yaml': 'resources: [deployment.yaml]\n',
  'never-ready/deployment.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: { name: never-ready }
spec:
  selector: { matchLabels: { app: never-ready } }
  template:
    metadata: { labels: { app: never-ready } }
    spec: { containers: [{ name: app, image: example.org/app }] }
`,
};

/** Source of all Kustomizations, which is well. */
export function controlSource(url: string): Manifest {
  return {
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    kind: 'GitRepository',
    metadata: { name: 'control', namespace: 'flux-system' },
    spec: { interval: '10m', url, ref: { branch: 'main' } },
  };
}

function kustomization(namespace: string, name: string, spec: { readonly [field: string]: unknown }): Manifest {
  return {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name, namespace },
    spec: {
      interval: '10m',
      retryInterval: '10m',
      prune: true,
      sourceRef: { kind: 'GitRepository', name: 'control', namespace: 'flux-system' },
      ...spec,
    },
  };
}

const nowhere = { path: './nowhere' };
/** It tries for 3 s, fails, and tries again 2 s later: Ready is Unknown, False, Unknown and so on. */
const again = { path: './never-ready', targetNamespace: 'resets', wait: true, timeout: '3s', retryInterval: '2s' };

/** Kustomizations that fail, one a team; of `fails` two. */
export const failing: readonly Manifest[] = [
  ...teams.map((team) => kustomization(team, 'checkout', team === 'resets' ? again : nowhere)),
  kustomization('fails', 'cart', nowhere),
];

/** A Kustomization that somebody has suspended, after it was applied. */
export const paused = kustomization(platform, 'paused', { path: './empty', suspend: true });

/** A repository of git and one of charts that cannot be fetched. */
export function failingSources(url: string): readonly Manifest[] {
  const of = { apiVersion: 'source.toolkit.fluxcd.io/v1', metadata: { name: 'gone', namespace: platform } };
  return [
    { ...of, kind: 'GitRepository', spec: { interval: '10m', url, timeout: '20s' } },
    { ...of, kind: 'HelmRepository', spec: { interval: '10m', url, timeout: '20s' } },
  ];
}

/** A managed resource that its provider may not do what it is asked for: Synced=False. */
export const desynced: Manifest = {
  apiVersion: 'nop.crossplane.io/v1alpha1',
  kind: 'NopResource',
  metadata: { name: 'bucket', namespace: platform },
  spec: { forProvider: {}, managementPolicies: ['Observe'], providerConfigRef: { name: 'default' } },
};
