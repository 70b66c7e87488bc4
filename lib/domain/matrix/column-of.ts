import type { CurrentObject } from '../current.ts';
import type { RefKey } from '../ref.ts';
import { refKey } from '../ref.ts';
import type { ColumnMode } from './column-mode.ts';

/** The column that one object belongs to. Objects of different clusters meet in a column by its `id`. */
export interface ColumnSeed {
  readonly id: string;
  /** The head above it; clusters may disagree (a Kustomization's path differs): the most frequent one wins. */
  readonly group: string;
  readonly title: string;
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
}

/** Group of Flux's own APIs by what they end in. */
const namedSources: ReadonlySet<string> = new Set(['GitRepository', 'OCIRepository', 'Bucket', 'ExternalArtifact']);

/** Which Kustomizations of one cluster deliver Kustomizations (themselves included): no column of their own gathers what they deliver. */
export function rootsOf(objects: Iterable<CurrentObject>): ReadonlySet<RefKey> {
  const roots = new Set<RefKey>();
  for (const object of objects) {
    if (object.ref.kind === 'Kustomization' && object.deliveredBy?.kind === 'Kustomization')
      roots.add(refKey(object.deliveredBy));
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
      return value('reconciler', object.reconciler);
    case 'kind':
      return value('kind', ref.kind);
    case 'group':
      return value('group', ref.group, ref.group === '' ? 'core' : ref.group);
    case 'namespace':
      return value('namespace', ref.namespace, ref.namespace === '' ? 'cluster-scoped' : ref.namespace);
    case 'label': {
      const found = context.labels[mode.key] ?? '';
      const title = found === '' ? `no ${mode.key}` : found;
      return { id: `label/${found}`, group: mode.key, title, filter: {} };
    }
  }
}

function value(by: string, text: string, title = text): ColumnSeed {
  return { id: `${by}/${text}`, group: by, title, filter: { [by]: text } };
}

function deliveryColumn(object: CurrentObject, context: RowContext): ColumnSeed {
  const { ref } = object;
  switch (object.role) {
    case 'source':
      return sourceColumn(object);
    case 'applier':
      return applierColumn(object, context);
    case 'managed': {
      const family = providerFamily(ref.group);
      return {
        id: `managed/${family}`,
        group: 'crossplane',
        title: family,
        filter: { reconciler: 'crossplane', q: family },
      };
    }
    case 'composite':
    case 'claim':
      return {
        id: `composite/${ref.group}/${ref.kind}`,
        group: 'crossplane',
        title: ref.kind,
        filter: { group: ref.group, kind: ref.kind },
      };
    case 'package':
    case 'definition':
      return { id: 'packages', group: 'crossplane', title: 'packages', filter: { reconciler: 'crossplane' } };
  }
}

function sourceColumn({ ref }: CurrentObject): ColumnSeed {
  if (namedSources.has(ref.kind)) {
    return {
      id: `source/${ref.kind}/${ref.name}`,
      group: 'sources',
      title: ref.name,
      filter: { kind: ref.kind, name: ref.name },
    };
  }
  const title =
    ref.kind === 'HelmRepository' ? 'Helm repositories' : ref.kind === 'HelmChart' ? 'Helm charts' : ref.kind;
  return { id: `source/${ref.kind}`, group: 'sources', title, filter: { kind: ref.kind } };
}

function applierColumn(object: CurrentObject, context: RowContext): ColumnSeed {
  const { ref, deliveredBy } = object;
  if (ref.kind === 'Kustomization') return kustomizationColumn(object);
  if (ref.kind === 'HelmRelease' && deliveredBy?.kind === 'Kustomization') {
    const key = refKey(deliveredBy);
    const delivery = context.roots.has(key) ? null : context.find(key);
    if (delivery) return kustomizationColumn(delivery);
  }
  const group =
    ref.kind === 'HelmRelease'
      ? 'releases'
      : ref.kind === 'Terraform'
        ? 'terraform'
        : ref.kind === 'Application'
          ? 'applications'
          : ref.kind;
  return { id: `${ref.kind}/${ref.name}`, group, title: ref.name, filter: { kind: ref.kind, name: ref.name } };
}

function kustomizationColumn(object: CurrentObject): ColumnSeed {
  const { ref } = object;
  return {
    id: `Kustomization/${ref.name}`,
    group: pathGroup(object.path, ref.cluster) ?? ref.namespace,
    title: ref.name,
    filter: { kind: 'Kustomization', name: ref.name },
  };
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
