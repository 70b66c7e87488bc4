import { inventoryId } from '#lib/domain/observation/inventory.ts';
import { commonKinds } from '../api/kinds.ts';
import type { ServedKind } from '../api/kinds.ts';
import type { KubeObject } from '../api/kube-object.ts';
import type { ObjectStore, Template } from '../api/object-store.ts';
import { createHelmRelease } from '../objects/helm-release.ts';
import { createKustomization, settleKustomization } from '../objects/kustomization.ts';
import { createManagedResource } from '../objects/managed-resource.ts';
import { digest } from '../objects/metadata.ts';
import { createProvider, createProviderRevision } from '../objects/package.ts';
import { createSource, settleSource, sourceKinds } from '../objects/source.ts';
import type { Random } from '../random.ts';
import { inventedManagedKind } from './aws.ts';

/** The size of a fleet that is generated, not told: kinds per cluster with objects, and objects per cluster over all kinds. */
export interface BulkPlan {
  readonly kinds: number;
  readonly objects: number;
}

/** Objects filled into one cluster, for churn. */
export interface BulkKind {
  readonly kind: ServedKind;
  readonly template: Template;
  readonly count: number;
}

const sha = '5e1d0c2b7a9f48364c0b1d2e3f405162738495a6';
const revision = `main@sha1:${sha}`;
const namespaces = ['flux-system', 'apps', 'payments', 'platform'] as const;

/** Kinds of which a generated cluster has one object: what the charts come from, and what runs the managed kinds. */
const singleKinds = [commonKinds.helmRepository, commonKinds.providerRevision];
/** Charts before releases: no fewer of them, whatever is left over. */
const fluxKinds = [
  commonKinds.kustomization,
  commonKinds.gitRepository,
  commonKinds.helmChart,
  commonKinds.helmRelease,
];

/** The kinds of a generated cluster: the four of Flux that every fleet has many of, the two it has one of, then managed ones. */
export function bulkKinds(count: number): ServedKind[] {
  return Array.from(
    { length: count },
    (_, index) => [...fluxKinds, ...singleKinds][index] ?? inventedManagedKind(index),
  );
}

/** Names that other objects of the fleet depend on, by kind and index: both in namespace flux-system. */
function wellKnownName(kind: ServedKind, index: number): string | null {
  if (kind === commonKinds.kustomization)
    return index === 0 ? 'apps' : index === namespaces.length ? 'crossplane' : null;
  if (index > 0) return null;
  if (kind === commonKinds.gitRepository) return 'control-repo';
  return kind === commonKinds.helmRepository ? 'charts' : null;
}

/** The names that a template replaces. */
const names = { name: '@NAME@', namespace: '@NAMESPACE@' };

function sampleKustomization(at: number, random: Random): KubeObject {
  const inventory = ['@ENTRIES@'];
  const source = { kind: 'GitRepository', name: 'control-repo' } as const;
  const times = { interval: 600, retryInterval: 120, timeout: 300, createdAt: at - 9_000_000 };
  const object = createKustomization(
    {
      ...names,
      ...times,
      path: './clusters/production/@NAME@',
      source,
      dependsOn: [],
      wait: true,
      prune: true,
      inventory,
    },
    random,
  );
  const past = { revision, since: at - 7_200_000, last: at, passes: 12, digest: digest(random) };
  settleKustomization(object, past, inventory, random);
  object.metadata.namespace = names.namespace;
  Object.assign(object.spec.sourceRef, { namespace: 'flux-system' });
  return object;
}

function sampleSource(kind: ServedKind, at: number, random: Random): KubeObject {
  const ofChart = kind === commonKinds.helmChart;
  const spec = ofChart
    ? { chart: 'component', version: '1.4.2', sourceRef: { kind: 'HelmRepository', name: 'charts' } }
    : { url: 'https://git.acme.example/control-repo.git', ref: { branch: 'main' } };
  const deliveredBy = ofChart ? null : 'apps';
  const source = createSource({ ...names, kind, deliveredBy, interval: 300, spec, createdAt: at - 9_000_000 }, random);
  const offered = ofChart ? '1.4.2' : revision;
  const message = `stored artifact for revision '${offered}'`;
  settleSource(source, { revision: offered, message, reason: 'Succeeded' }, at - 7_200_000, random);
  return source;
}

/** An object of realistic size of a kind, with the placeholders that a template replaces. `runs`: the managed kinds. */
function sampleOf(kind: ServedKind, runs: readonly ServedKind[], at: number, random: Random): KubeObject {
  if (kind === commonKinds.kustomization) return sampleKustomization(at, random);
  if (kind === commonKinds.providerRevision) {
    const provider = createProvider('upbound-provider-aws', names.name, at - 9_000_000, random);
    return createProviderRevision(provider, names.name, runs, at - 9_000_000, random);
  }
  if (kind === commonKinds.helmRelease) {
    const release = {
      chart: 'component',
      version: '1.4.2',
      appVersion: '1.4.2',
      repository: 'charts',
      driftDetection: 'enabled',
    } as const;
    return createHelmRelease(
      {
        ...names,
        ...release,
        interval: 600,
        deliveredBy: 'apps',
        createdAt: at - 9_000_000,
        deployedAt: at - 7_200_000,
        lastPass: at,
      },
      random,
    );
  }
  if (Object.values(sourceKinds).some((one) => one === kind)) return sampleSource(kind, at, random);
  const region = { region: 'eu-west-3', providerConfig: 'default', deliveredBy: 'crossplane', owner: null };
  const object = createManagedResource(
    { ...names, ...region, externalName: '@NAME@-@CLUSTER@', kind, createdAt: at - 9_000_000 },
    random,
  );
  const notes = Array.from({ length: 40 }, (_, index) => [`parameter-${index}`, `${random.hex(24)}`]);
  object.status.atProvider = {
    ...object.status.atProvider,
    // One template serves every cluster: an ARN in it would make all of them managers of one resource.
    arn: undefined,
    parameters: Object.fromEntries(notes),
    arns: Array.from({ length: 60 }, () => `arn:aws:ec2:eu-west-3:123456789012:${random.hex(40)}`),
  };
  return object;
}

/** The Kustomization that has applied the objects of a kind, by its name; null for what a controller makes. */
function applierOf(kind: ServedKind): 'apps' | 'crossplane' | null {
  const made = [commonKinds.kustomization, commonKinds.helmChart, commonKinds.providerRevision];
  if (made.includes(kind)) return null;
  return [...fluxKinds, ...singleKinds].includes(kind) ? 'apps' : 'crossplane';
}

/** Everything that each Kustomization of a generated cluster has applied, but for its own Deployments: ids by its name, made once. */
export function bulkInventories(plan: BulkPlan): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [index, kind] of bulkKinds(plan.kinds).entries()) {
    const by = applierOf(kind);
    if (by === null) continue;
    const place = placeOf(kind);
    const ids = Array.from({ length: shareOf(index, plan) }, (_, at) =>
      inventoryId({ namespace: place.namespace(at), name: place.name(at), group: kind.group, kind: kind.kind }),
    );
    found.set(by, (found.get(by) ?? []).concat(ids));
  }
  return found;
}

/** The entries of a Kustomization's inventory as JSON; those of the two that apply the fleet's objects are kept. */
function entriesFrom(applied: ReadonlyMap<string, readonly string[]>) {
  const kept = new Map<string, string>();
  return (name: string): string => {
    const known = kept.get(name);
    if (known !== undefined) return known;
    const own = Array.from({ length: 22 }, (_, index) => `apps_${name}-${index}_apps_Deployment`);
    const entries = [...own, ...(applied.get(name) ?? [])].map((id) => ({ id, v: 'v1' }));
    const text = JSON.stringify(entries);
    if (applied.has(name)) kept.set(name, text);
    return text;
  };
}

/** Names and namespaces of the objects of a kind, by their index. */
function placeOf(kind: ServedKind): Pick<Template, 'name' | 'namespace'> {
  const stemOf = (of: ServedKind): string => of.resource.slice(0, 12);
  const namespaceOf = (index: number): string => namespaces[index % namespaces.length] ?? 'apps';
  return {
    name(index) {
      const number = String(index).padStart(5, '0');
      // helm-controller names the chart after its release, and makes it beside the repository.
      if (kind === commonKinds.helmChart) return `${namespaceOf(index)}-${stemOf(commonKinds.helmRelease)}-${number}`;
      return wellKnownName(kind, index) ?? `${stemOf(kind)}-${number}`;
    },
    namespace(index) {
      if (!kind.namespaced) return '';
      return kind === commonKinds.helmChart ? 'flux-system' : namespaceOf(index);
    },
  };
}

/** The template of a kind on one of the fleet's clusters: what a kind has in common is made once for all of them. */
export type FleetTemplate = (cluster: number) => Template;

/** A template that replaces name, namespace, uid, version and the cluster's number in a sample; rendering is a join of strings. */
export function templateOf(
  kind: ServedKind,
  { runs, applied }: { readonly runs: readonly ServedKind[]; readonly applied: ReturnType<typeof bulkInventories> },
  at: number,
  random: Random,
): FleetTemplate {
  const sample = sampleOf(kind, runs, at, random);
  if (!kind.namespaced) delete sample.metadata.namespace;
  sample.metadata.resourceVersion = '@VERSION@';
  sample.metadata.uid = '@UID@';
  const text = JSON.stringify(sample).replace('[{"id":"@ENTRIES@","v":"v1"}]', '@ENTRIES@');
  const pieces = text.split(/@(NAME|NAMESPACE|VERSION|UID|CLUSTER|ENTRIES)@/);
  const { name, namespace } = placeOf(kind);
  const entries = entriesFrom(applied);
  return (cluster) => ({
    name,
    namespace,
    render(index, resourceVersion, revisionNumber) {
      const number = index.toString(16).padStart(12, '0');
      const values: { readonly [key: string]: string } = {
        NAME: name(index),
        NAMESPACE: namespace(index),
        VERSION: String(resourceVersion),
        UID: `6b1f0c2e-5d3a-4c6b-${cluster.toString(16).padStart(4, '0')}-${number}`,
        CLUSTER: String(cluster),
        ENTRIES: kind === commonKinds.kustomization ? entries(name(index)) : '',
      };
      const text = pieces.map((piece, position) => (position % 2 === 1 ? (values[piece] ?? '') : piece)).join('');
      if (revisionNumber === 0) return Buffer.from(text);
      // Another pass: the times in the object move by a second for each.
      const passed = new Date(at + revisionNumber * 1000).toISOString().slice(0, 19);
      return Buffer.from(text.replaceAll(new Date(at).toISOString().slice(0, 19), passed));
    },
  });
}

/** Number of objects that kind `index` gets: three in five are Flux's, the rest are managed resources, as in fleets that were measured. */
function shareOf(index: number, plan: BulkPlan): number {
  const many = Math.min(fluxKinds.length, plan.kinds);
  const single = Math.min(singleKinds.length, plan.kinds - many);
  const managed = plan.kinds - many - single;
  if (index >= many && index < many + single) return 1;
  const spread = plan.objects - single;
  const flux = managed === 0 ? spread : Math.round(spread * 0.6);
  const [total, kinds, offset] = index < many ? [flux, many, index] : [spread - flux, managed, index - many - single];
  return Math.floor(total / kinds) + (offset < total % kinds ? 1 : 0);
}

/** Fills the store of a cluster with a generated fleet's objects. All of them are well, and what they depend on is there. */
export function fillBulk(
  store: ObjectStore,
  plan: BulkPlan,
  templates: ReadonlyMap<string, FleetTemplate>,
  cluster: number,
): BulkKind[] {
  return bulkKinds(plan.kinds).flatMap((kind, index) => {
    const template = templates.get(kind.kind)?.(cluster);
    if (!template) return [];
    const count = shareOf(index, plan);
    store.fill(kind, template, count);
    return [{ kind, template, count }];
  });
}
