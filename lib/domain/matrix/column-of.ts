import type { CurrentObject } from '../record/current.ts';
import { kindKey, type RefKey } from '../observation/ref.ts';
import { refKey } from '../observation/ref.ts';
import { labelOf } from './label-of.ts';
import type { ColumnSeed, ColumnSeeds } from './column-seeds.ts';
import { pathGroup } from './column-seeds.ts';

/** Trait that makes a column of the matrix. */
export type ColumnMode =
  | { readonly by: 'delivery' | 'reconciler' | 'kind' | 'group' | 'namespace' }
  | { readonly by: 'label'; readonly key: string };

const plain = ['delivery', 'reconciler', 'kind', 'group', 'namespace'] as const;

/** Reads the `columns` parameter of a view: delivery, reconciler, kind, group, namespace or label:<key>. null for anything else. */
export function parseColumnMode(text: string): ColumnMode | null {
  const found = plain.find((mode) => mode === text);
  if (found !== undefined) return { by: found };
  const key = text.startsWith('label:') ? text.slice('label:'.length) : '';
  return key === '' ? null : { by: 'label', key };
}

/** Knowledge that a row needs of its other objects to find the column of one. */
export interface RowContext {
  readonly labels: { readonly [key: string]: string };
  /** Kustomizations of this cluster that deliver Kustomizations. */
  readonly roots: ReadonlySet<RefKey>;
  /** The object of this cluster behind a key, as far as it is known. */
  find(key: RefKey): CurrentObject | null;
  /** Seeds that were made before. */
  readonly seeds: ColumnSeeds;
}

/** The title of the column that gathers objects by what they are; null for one that is titled by a name, a kind or an API group. */
export function gatheredTitle({ role, ref }: Pick<CurrentObject, 'role' | 'ref'>): string | null {
  switch (role) {
    case 'source':
      return sourceTitles.get(ref.kind) ?? null;
    case 'package':
    case 'definition':
      return 'packages';
    case 'helper':
      return 'helpers';
    case 'applier':
    case 'managed':
    case 'composite':
    case 'claim':
    case 'declared':
      return null;
  }
}

const sourceTitles: ReadonlyMap<string, string> = new Map([
  ['HelmRepository', 'Helm repositories'],
  ['HelmChart', 'Helm charts'],
]);
/** Sources that are few and have names of their own; the others are one column a kind. */
const namedSources: ReadonlySet<string> = new Set(['GitRepository', 'OCIRepository', 'Bucket', 'ExternalArtifact']);

/** Which Kustomizations of one cluster deliver Kustomizations (themselves included): no column of their own gathers what they deliver. */
export function rootsOf(objects: Iterable<CurrentObject>): ReadonlySet<RefKey> {
  const roots = new Set<RefKey>();
  // Most are delivered by the one that those before them were.
  let last: CurrentObject['deliveredBy'] = null;
  for (const { ref, deliveredBy } of objects) {
    if (ref.kind !== 'Kustomization' || deliveredBy?.kind !== 'Kustomization' || deliveredBy === last) continue;
    roots.add(refKey(deliveredBy));
    last = deliveredBy;
  }
  return roots;
}

/** The column of an object under a mode. */
export function columnOf(mode: ColumnMode, object: CurrentObject, context: RowContext): ColumnSeed {
  const { ref } = object;
  switch (mode.by) {
    case 'delivery':
      return deliveryColumn(object, context);
    case 'reconciler':
      return valueColumn(context, mode.by, object.reconciler, 'none');
    case 'kind':
      return valueColumn(context, mode.by, ref.kind, 'none');
    case 'group':
      return valueColumn(context, mode.by, ref.group, 'core');
    case 'namespace':
      return valueColumn(context, mode.by, ref.namespace, 'cluster-scoped');
    case 'label': {
      const found = labelOf(context.labels, mode.key);
      const title = found === '' ? `no ${mode.key}` : found;
      const { seeds } = context;
      return (
        seeds.find(mode.key, 'label', found) ??
        seeds.add('label', found, { id: `label/${found}`, group: mode.key, title, position: 'folder', filter: {} })
      );
    }
  }
}

function valueColumn({ seeds }: RowContext, by: string, value: string, nothing: string): ColumnSeed {
  return (
    seeds.find(by, by, value) ??
    seeds.add(by, value, {
      id: `${by}/${value}`,
      group: by,
      title: value === '' ? nothing : value,
      position: 'folder',
      filter: { [by]: value === '' ? '-' : value },
    })
  );
}

function deliveryColumn(object: CurrentObject, context: RowContext): ColumnSeed {
  const { seeds } = context;
  const { group, kind, name } = object.ref;
  const { reconciler } = object;
  switch (object.role) {
    case 'source':
      return sourceColumn(object, context);
    case 'applier':
      return applierColumn(object, context);
    case 'managed':
      return seeds.find(reconciler, 'managed', group) ?? managedColumn(object, context);
    case 'composite':
    case 'claim': {
      const one = kindKey({ group, kind });
      const rest = { title: kind, position: 'resource', filter: { group, kind } } as const;
      return (
        seeds.find(reconciler, 'composite', one) ??
        seeds.add('composite', one, { id: `composite/${one}`, group: reconciler, ...rest })
      );
    }
    case 'package':
    case 'definition': {
      const rest = { title: 'packages', position: 'resource', filter: { reconciler } } as const;
      return (
        seeds.find(reconciler, 'packages', reconciler) ??
        seeds.add('packages', reconciler, { id: `packages/${reconciler}`, group: reconciler, ...rest })
      );
    }
    case 'helper': {
      const rest = { title: 'helpers', position: 'resource', filter: { reconciler, group } } as const;
      return (
        seeds.find(reconciler, 'helpers', group) ??
        seeds.add('helpers', group, { id: `helpers/${group}`, group: reconciler, ...rest })
      );
    }
    case 'declared': {
      const rest = { title: name, position: 'declared', filter: { group, kind, name } } as const;
      return (
        seeds.find('declared', 'declared', name) ??
        seeds.add('declared', name, { id: `declared/${name}`, group: 'declared', ...rest })
      );
    }
  }
}

/** One family is one seed, whatever API groups of it there are. */
function managedColumn({ reconciler, ref: { group } }: CurrentObject, { seeds }: RowContext): ColumnSeed {
  const family = providerFamily(group);
  const known = seeds.find(reconciler, 'family', family);
  const seed =
    known ??
    seeds.add('family', family, {
      id: `managed/${family}`,
      group: reconciler,
      title: family,
      position: 'resource',
      filter: { reconciler, q: family },
    });
  return seeds.also('managed', group, seed);
}

function sourceColumn({ ref: { kind, name } }: CurrentObject, { seeds }: RowContext): ColumnSeed {
  const shared = { group: 'sources', position: 'folder' } as const;
  if (namedSources.has(kind)) {
    return (
      seeds.find('sources', kind, name) ??
      seeds.add(kind, name, { ...shared, id: `source/${kind}/${name}`, title: name, filter: { kind, name } })
    );
  }
  return (
    seeds.find('sources', 'source', kind) ??
    seeds.add('source', kind, {
      ...shared,
      id: `source/${kind}`,
      title: sourceTitles.get(kind) ?? kind,
      filter: { kind },
    })
  );
}

function applierColumn(object: CurrentObject, context: RowContext): ColumnSeed {
  const { deliveredBy } = object;
  const { kind, name } = object.ref;
  if (kind === 'Kustomization') return kustomizationColumn(object, context);
  if (kind === 'HelmRelease' && deliveredBy?.kind === 'Kustomization') {
    const key = refKey(deliveredBy);
    const delivery = context.roots.has(key) ? null : context.find(key);
    if (delivery) return kustomizationColumn(delivery, context);
  }
  const { seeds } = context;
  const group = kind === 'HelmRelease' ? 'releases' : object.reconciler;
  return (
    seeds.find(group, kind, name) ??
    seeds.add(kind, name, { id: `${kind}/${name}`, group, title: name, position: 'applier', filter: { kind, name } })
  );
}

function kustomizationColumn(
  { ref: { name, namespace, cluster }, path }: CurrentObject,
  { seeds }: RowContext,
): ColumnSeed {
  const group = pathGroup(path, cluster, seeds.folderOf) ?? namespace;
  const kind = 'Kustomization';
  return (
    seeds.find(group, 'delivery', name) ??
    seeds.add('delivery', name, {
      id: `${kind}/${name}`,
      group,
      title: name,
      position: 'folder',
      filter: { kind, name },
    })
  );
}

/**
 * The family of a managed resource by its API group: "rds.aws" of rds.aws.upbound.io and of rds.aws.m.upbound.io,
 * "nop" of nop.crossplane.io. The namespaced (".m.") and the legacy API of one provider are one family.
 */
export function providerFamily(group: string): string {
  const labels = group.split('.').filter((label) => label !== 'm');
  const own = labels.slice(0, -2);
  return own.length > 0 ? own.join('.') : (labels[0] ?? group);
}
