import type { UnjudgedKind } from '../adapter.ts';

function of(group: string, kinds: { readonly [kind: string]: string }): UnjudgedKind[] {
  return Object.entries(kinds).map(([kind, why]) => ({ group, kind, why }));
}

/** Kinds of Crossplane that have no verdict of their own. Source: crossplane apis/, docs.crossplane.io. */
export const unjudgedKinds: readonly UnjudgedKind[] = [
  ...of('apiextensions.crossplane.io', {
    Composition: 'it has no loop of its own',
    CompositionRevision: 'it has no loop of its own',
    EnvironmentConfig: 'it only holds values',
    ManagedResourceDefinition: 'each carries a whole schema; one that is inactive serves no kind',
    ManagedResourceActivationPolicy: 'it only activates definitions',
    Usage: 'it only holds up a deletion',
  }),
  ...of('protection.crossplane.io', {
    Usage: 'it only holds up a deletion',
    ClusterUsage: 'it only holds up a deletion',
  }),
  ...of('pkg.crossplane.io', {
    ControllerConfig: 'it has no loop of its own',
    DeploymentRuntimeConfig: 'it has no loop of its own',
    ImageConfig: 'it has no loop of its own',
    Lock: "it is the package manager's own note",
  }),
  ...of('ops.crossplane.io', {
    Operation: 'it runs once, and keeps nothing as declared',
    CronOperation: 'it makes Operations, which run once',
    WatchOperation: 'it makes Operations, which run once',
  }),
  ...of('*', {
    ProviderConfig: 'it has no loop of its own; what it breaks is shown on the resources that use it',
    ClusterProviderConfig: 'it has no loop of its own; what it breaks is shown on the resources that use it',
    ProviderConfigUsage: 'it only counts users of a ProviderConfig',
    ClusterProviderConfigUsage: 'it only counts users of a ProviderConfig',
    StoreConfig: 'it has no loop of its own',
  }),
];
