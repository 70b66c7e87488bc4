import type { CurrentObject } from '../current.ts';
import type { RefKey } from '../ref.ts';
import { refKey } from '../ref.ts';
import type { ColumnMode } from './column-mode.ts';
import type { ColumnSeeds } from './column-seeds.ts';

/**
 * Where a head stands: what a repository calls its own folders comes first, by name; then appliers that no folder gathers,
 * then what packages and managed resources are made of, and what is only declared last.
 */
export type HeadPlace = 'folder' | 'applier' | 'resource' | 'declared';

/** The column that one object belongs to. Objects of different clusters meet in a column by its `id`. */
export interface ColumnSeed {
  readonly id: string;
  /** The head above it; clusters may disagree (a Kustomization's path differs): the most frequent one wins. */
  readonly group: string;
  readonly title: string;
  /** Where its head stands among the others. */
  readonly place: HeadPlace;
  /** Query of the list of objects that its head leads to. */
  readonly filter: { readonly [key: string]: string };
}

/** What a row must know of its other objects to place one of them. */
export interface RowContext {
  readonly labels: { readonly [key: string]: string };
  /** Kustomizations of this cluster that deliver Kustomizations. */
  readonly roots: ReadonlySet<RefKey>;
  /** The object of this cluster behind a key, as far as it is known. */
  find(key: RefKey): CurrentObject | null;
  /** Seeds that were made before. */
  readonly seeds: ColumnSeeds;
}

/** The seed of this id and head; `rest` is asked only when it is new. */
function seed(
  context: RowContext,
  id: string,
  group: string,
  rest: () => Pick<ColumnSeed, 'title' | 'filter'> & Partial<Pick<ColumnSeed, 'place'>>,
): ColumnSeed {
  return context.seeds.of(id, group, () => ({ id, group, place: 'folder', ...rest() }));
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

/** The column of an object under a mode. DESIGN.md "Pages", facts/flux.md and facts/crossplane.md for the API groups. */
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
      const found = context.labels[mode.key] ?? '';
      const title = found === '' ? `no ${mode.key}` : found;
      return seed(context, `label/${found}`, mode.key, () => ({ title, filter: {} }));
    }
  }
}

function valueColumn(context: RowContext, by: string, value: string, nothing: string): ColumnSeed {
  return seed(context, `${by}/${value}`, by, () => ({
    title: value === '' ? nothing : value,
    filter: { [by]: value === '' ? '-' : value },
  }));
}

function deliveryColumn(object: CurrentObject, context: RowContext): ColumnSeed {
  const { group, kind } = object.ref;
  switch (object.role) {
    case 'source':
      return sourceColumn(object, context);
    case 'applier':
      return applierColumn(object, context);
    case 'managed':
      return context.seeds.ofManaged(group, () => managedColumn(object, context));
    case 'composite':
    case 'claim':
      return seed(context, `composite/${group}/${kind}`, object.reconciler, () => ({
        title: kind,
        place: 'resource',
        filter: { group, kind },
      }));
    case 'package':
    case 'definition':
      return seed(context, `packages/${object.reconciler}`, object.reconciler, () => ({
        title: 'packages',
        place: 'resource',
        filter: { reconciler: object.reconciler },
      }));
    case 'declared':
      return seed(context, `declared/${object.ref.name}`, 'declared', () => ({
        title: object.ref.name,
        place: 'declared',
        filter: { group, kind, name: object.ref.name },
      }));
  }
}

function managedColumn({ reconciler, ref: { group } }: CurrentObject, context: RowContext): ColumnSeed {
  const family = providerFamily(group);
  return seed(context, `managed/${family}`, reconciler, () => ({
    title: family,
    place: 'resource',
    filter: { reconciler, q: family },
  }));
}

function sourceColumn({ ref: { kind, name } }: CurrentObject, context: RowContext): ColumnSeed {
  if (namedSources.has(kind)) {
    return seed(context, `source/${kind}/${name}`, 'sources', () => ({ title: name, filter: { kind, name } }));
  }
  return seed(context, `source/${kind}`, 'sources', () => ({
    title: sourceTitles.get(kind) ?? kind,
    filter: { kind },
  }));
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
  return seed(context, `${kind}/${name}`, kind === 'HelmRelease' ? 'releases' : object.reconciler, () => ({
    title: name,
    place: 'applier',
    filter: { kind, name },
  }));
}

function kustomizationColumn({ ref, path }: CurrentObject, context: RowContext): ColumnSeed {
  return seed(context, `Kustomization/${ref.name}`, pathGroup(path, ref.cluster) ?? ref.namespace, () => ({
    title: ref.name,
    filter: { kind: 'Kustomization', name: ref.name },
  }));
}

/**
 * The head for a Kustomization by its path: the segment above its last one.
 * clusters/production/eu-west-3/apps/checkout and apps/checkout are "apps"; everything under infrastructure/ is "infrastructure".
 * null where the path only says which cluster it is (clusters/production/eu-west-3).
 */
export function pathGroup(path: string | null, cluster: string): string | null {
  if (path === null) return null;
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  const own = segments[0] === 'clusters' ? segments.slice(2) : segments;
  if (own.includes('infrastructure') && own.length >= 2) return 'infrastructure';
  const parent = own.length >= 2 ? own[own.length - 2] : undefined;
  return parent === undefined || parent === cluster ? null : parent;
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
