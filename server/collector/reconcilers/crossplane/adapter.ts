import { kindsOf, type Adapter, type UnjudgedKind } from '../adapter.ts';
import { core, observeComposite, observeClaim } from './composite.ts';
import { managedCorrections } from './corrections.ts';
import { observeDefinition } from './definition.ts';
import { observeManaged } from './managed.ts';
import { observePackage } from './package.ts';
import { crossplaneMetric, definitionGroup, packageGroup } from './state-metric.ts';

function unjudgedIn(group: string, kinds: { readonly [kind: string]: string }): UnjudgedKind[] {
  return Object.entries(kinds).map(([kind, why]) => ({ group, kind, why }));
}

/** Kinds of Crossplane that have no verdict of their own. Source: crossplane apis/, docs.crossplane.io. */
const unjudgedKinds: readonly UnjudgedKind[] = [
  ...unjudgedIn('apiextensions.crossplane.io', {
    Composition: 'it has no loop of its own',
    CompositionRevision: 'it has no loop of its own',
    EnvironmentConfig: 'it only holds values',
    ManagedResourceDefinition: 'each carries a whole schema; one that is inactive serves no kind',
    ManagedResourceActivationPolicy: 'it only activates definitions',
    Usage: 'it only holds up a deletion',
  }),
  ...unjudgedIn('protection.crossplane.io', {
    Usage: 'it only holds up a deletion',
    ClusterUsage: 'it only holds up a deletion',
  }),
  ...unjudgedIn('pkg.crossplane.io', {
    ControllerConfig: 'it has no loop of its own',
    DeploymentRuntimeConfig: 'it has no loop of its own',
    ImageConfig: 'it has no loop of its own',
    Lock: "it is the package manager's own note",
  }),
  ...unjudgedIn('ops.crossplane.io', {
    Operation: 'it runs once, and keeps nothing as declared',
    CronOperation: 'it makes Operations, which run once',
    WatchOperation: 'it makes Operations, which run once',
  }),
  ...unjudgedIn('*', {
    ProviderConfig: 'it has no loop of its own; what it breaks is shown on the resources that use it',
    ClusterProviderConfig: 'it has no loop of its own; what it breaks is shown on the resources that use it',
    ProviderConfigUsage: 'it only counts users of a ProviderConfig',
    ClusterProviderConfigUsage: 'it only counts users of a ProviderConfig',
    StoreConfig: 'it has no loop of its own',
  }),
];

/** Crossplane: packages, definitions, and whatever kinds carry the categories managed, composite or claim. */
export const crossplane: Adapter = {
  reconciler: 'crossplane',
  kinds: [
    ...kindsOf(packageGroup, {
      providers: 'Provider',
      configurations: 'Configuration',
      functions: 'Function',
      configurationrevisions: 'ConfigurationRevision',
      functionrevisions: 'FunctionRevision',
    }),
    { group: packageGroup, kind: 'ProviderRevision', resource: 'providerrevisions', defines: true },
    {
      group: definitionGroup,
      kind: 'CompositeResourceDefinition',
      resource: 'compositeresourcedefinitions',
      defines: true,
    },
  ],
  unjudged: unjudgedKinds,
  unjudgedBy: 'crossplane',
  categories: ['managed', 'composite', 'claim'],
  // Providers run beside it, under names of their own.
  controllers: [{ name: core, namespace: 'crossplane-system', lease: 'crossplane-leader-election-core' }],
  metricOf: crossplaneMetric,
  observe(object, context) {
    const { kind } = context;
    if (kind.group === packageGroup) return observePackage(object, context);
    if (kind.group === definitionGroup) return observeDefinition(object, context);
    if (kind.categories.includes('managed')) return observeManaged(object, context);
    if (kind.categories.includes('composite')) return observeComposite(object, context);
    return observeClaim(object, context);
  },
  corrections: managedCorrections,
};
