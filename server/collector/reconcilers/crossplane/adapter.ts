import { kindsOf, type Adapter } from '../adapter.ts';
import { envelope, unrecognised } from '../envelope.ts';
import { observeClaim } from './claim.ts';
import { core, observeComposite } from './composite.ts';
import { managedCorrections } from './corrections.ts';
import { observeDefinition } from './definition.ts';
import { observeManaged } from './managed.ts';
import { observePackage } from './package.ts';
import { unjudgedKinds } from './unjudged.ts';

const packageGroup = 'pkg.crossplane.io';
const definitionGroup = 'apiextensions.crossplane.io';

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
      ...{ group: definitionGroup, kind: 'CompositeResourceDefinition', resource: 'compositeresourcedefinitions' },
      defines: true,
    },
  ],
  unjudged: unjudgedKinds,
  unjudgedBy: 'crossplane',
  categories: ['managed', 'composite', 'claim'],
  // Providers run beside it, under names of their own.
  controllers: [{ name: core, namespace: 'crossplane-system', lease: 'crossplane-leader-election-core' }],
  observe(object, context) {
    const { kind } = context;
    if (kind.group === packageGroup) return observePackage(object, context);
    if (kind.group === definitionGroup) return observeDefinition(object, context);
    if (kind.categories.includes('managed')) return observeManaged(object, context);
    if (kind.categories.includes('composite')) return observeComposite(object, context);
    if (kind.categories.includes('claim')) return observeClaim(object, context);
    return {
      ...envelope(object, context, 'crossplane', 'managed'),
      summary: unrecognised(`${kind.kind} carries no category of Crossplane`),
    };
  },
  corrections: managedCorrections,
};
