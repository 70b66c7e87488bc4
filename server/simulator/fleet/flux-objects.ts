import { createHash } from 'node:crypto';
import { day } from '#lib/domain/time/length.ts';
import { commonKinds } from '../api/kinds.ts';
import type { HelmReleaseHandle } from '../controllers/helm-controller.ts';
import type { KustomizationHandle } from '../controllers/kustomization-item.ts';
import type { Fetched, SourceHandle } from '../controllers/source-controller.ts';
import { createHelmRelease } from '../objects/helm-release.ts';
import { createKustomization, settleKustomization } from '../objects/kustomization.ts';
import { createNamespace } from '../objects/metadata.ts';
import { createSource, settleSource } from '../objects/source.ts';
import type { SourcePlan } from '../objects/source.ts';
import type { Commit } from '../repository/control-repository.ts';
import { revisionOf, shaOf } from '../repository/control-repository.ts';
import { register } from './cluster-parts.ts';
import type { ClusterParts } from './cluster-parts.ts';
import { chartOffer, gitOffer, indexOffer, ociOffer } from './flux-offers.ts';
import type { Component } from './plan.ts';
import { componentPath, components, overlap } from './plan.ts';

/** Handles of the Flux objects of one cluster, by name; HelmCharts and HelmRepositories by kind and name. */
export interface FluxObjects {
  readonly sources: ReadonlyMap<string, SourceHandle>;
  readonly kustomizations: ReadonlyMap<string, KustomizationHandle>;
  readonly releases: ReadonlyMap<string, HelmReleaseHandle>;
}

/** Seconds. Search warms its index for long before it is ready. */
function timeoutOf(component: Component): number {
  if (component.name === 'search') return 1800;
  return component.wait ? 300 : 60;
}

function inventoryOf(component: Component): string[] {
  const { namespace, workloads, name } = component;
  const own = workloads.flatMap((workload) => [
    `${namespace}_${workload}_apps_Deployment`,
    `${namespace}_${workload}__Service`,
    `${namespace}_${workload}__ServiceAccount`,
    `${namespace}_${workload}-config__ConfigMap`,
  ]);
  const release = component.release
    ? [
        `${namespace}_${component.release.name}_helm.toolkit.fluxcd.io_HelmRelease`,
        `flux-system_${component.release.repository}_source.toolkit.fluxcd.io_HelmRepository`,
      ]
    : [];
  return [
    `_${namespace}__Namespace`,
    ...release,
    ...own,
    `${namespace}_${name}-view_rbac.authorization.k8s.io_RoleBinding`,
  ];
}

type Placing = ReturnType<typeof createPlacing>;

/** Places Flux's objects on one cluster and registers them with the ledger. Times in ms. */
function createPlacing(parts: ClusterParts) {
  const { source, deps, random } = parts;
  const interval = deps.interval * 1000;
  const createdAt = deps.startedAt - 120 * day;
  const sources = new Map<string, SourceHandle>();
  const kustomizations = new Map<string, KustomizationHandle>();
  const releases = new Map<string, HelmReleaseHandle>();
  return {
    createdAt,
    interval,
    objects: { sources, kustomizations, releases },
    addSource(
      made: Omit<SourcePlan, 'namespace' | 'createdAt' | 'interval'>,
      since: number,
      fetch: () => Fetched,
    ): SourceHandle {
      const { kind, name } = made;
      const plan = { ...made, namespace: 'flux-system', createdAt, interval: deps.interval };
      const object = createSource(plan, random);
      const fetched = fetch();
      if (fetched.is === 'fetched') settleSource(object, fetched.offer, since, random);
      const handle = source.add(object, interval, fetch);
      const plain = kind === commonKinds.gitRepository || kind === commonKinds.ociRepository;
      sources.set(plain ? name : `${kind.kind}/${name}`, handle);
      register(parts, kind, plan);
      return handle;
    },
  };
}

/** Makes the sources, Kustomizations and HelmReleases of one cluster, with a past, and hands them to its controllers. */
export function addFluxObjects(parts: ClusterParts): FluxObjects {
  const { repository, startedAt } = parts.deps;
  const placing = createPlacing(parts);
  const head = repository.head();
  const gitSpec = { url: repository.url, ref: { branch: 'main' }, timeout: '60s' };
  placing.addSource({ kind: commonKinds.gitRepository, name: 'control-repo', spec: gitSpec }, head.time + 20_000, () =>
    gitOffer(repository.head()),
  );
  const ociSpec = {
    url: 'oci://registry.acme.example/policy/policy-bundle',
    ref: { semver: '>=3.0.0' },
    provider: 'generic',
    timeout: '60s',
  };
  placing.addSource(
    { kind: commonKinds.ociRepository, name: 'policy-bundle', spec: ociSpec },
    startedAt - 3 * day,
    () => ociOffer('policy-bundle', '3.8.1', head),
  );
  for (const component of components) addComponent(parts, placing, component, head);
  return placing.objects;
}

function addComponent(parts: ClusterParts, placing: Placing, component: Component, head: Commit): void {
  const { plan, plane, kustomize, deps, random } = parts;
  const { repository } = deps;
  const { createdAt, interval } = placing;
  const oci = component.oci ? placing.objects.sources.get(component.oci) : undefined;
  const path = componentPath(plan, component.name);
  const revision = oci?.object.status.artifact?.revision ?? revisionOf(head);
  const fights = overlap.cluster === plan.name && overlap.components.some((name) => name === component.name);
  const inventory = [...new Set([...inventoryOf(component), ...(fights ? [overlap.id] : [])])];
  const digestOf = (text: string): string =>
    oci ? `sha256:${createHash('sha256').update(text).digest('hex')}` : repository.digestAt(path, shaOf(text));
  const object = createKustomization(
    {
      name: component.name,
      path: oci ? `./infrastructure/${component.name}` : `./${path}`,
      source: component.oci
        ? { kind: 'OCIRepository', name: component.oci }
        : { kind: 'GitRepository', name: 'control-repo' },
      dependsOn: component.dependsOn,
      interval: deps.interval,
      retryInterval: Math.max(10, deps.interval / 3),
      timeout: timeoutOf(component),
      wait: component.wait,
      prune: component.name !== 'crds',
      inventory,
      createdAt,
      ...(component.weakened ? { more: component.weakened } : {}),
    },
    random,
  );
  const last = (deps.deadSince(plan.name) ?? deps.startedAt) - random.between(1000, interval);
  const since = Math.min(last, head.time + random.between(30_000, 90_000));
  settleKustomization(
    object,
    { revision, since, last, passes: Math.ceil((last - since) / interval) + 1, digest: digestOf(revision) },
    inventory,
    random,
  );
  const timeout = timeoutOf(component) * 1000;
  const handle = kustomize.add(object, {
    interval,
    retryInterval: Math.max(10_000, interval / 3),
    timeout,
    inventory,
    digestOf,
    fights: fights ? [overlap.resource] : [],
  });
  placing.objects.kustomizations.set(component.name, handle);
  register(parts, commonKinds.kustomization, { name: component.name, namespace: 'flux-system' });
  plane.store.put(createNamespace(component.namespace, createdAt, random), commonKinds.namespace);
  if (component.release) addRelease(parts, placing, component, component.release);
}

function addRelease(
  parts: ClusterParts,
  placing: Placing,
  component: Component,
  release: NonNullable<Component['release']>,
): void {
  const { helm, deps, random } = parts;
  const { startedAt } = deps;
  const { addSource, createdAt, interval } = placing;
  const { name: chart, version, range, weakened, repository: repositoryName } = release;
  const deployedAt = startedAt - random.between(2, 40) * day;
  const delivered = { deliveredBy: component.name };
  addSource(
    { kind: commonKinds.helmRepository, name: repositoryName, ...delivered, spec: { url: release.url } },
    deployedAt - 60_000,
    () => indexOffer(release.url),
  );
  const chartSpec = {
    chart,
    version: range ?? version,
    reconcileStrategy: 'ChartVersion',
    sourceRef: { kind: 'HelmRepository', name: repositoryName },
  };
  const chartName = `${component.namespace}-${chart}`;
  const handle = addSource({ kind: commonKinds.helmChart, name: chartName, spec: chartSpec }, deployedAt - 30_000, () =>
    chartOffer(chart, version),
  );
  handle.object.metadata.labels = {
    'helm.toolkit.fluxcd.io/name': chart,
    'helm.toolkit.fluxcd.io/namespace': component.namespace,
  };
  const names = { name: chart, namespace: component.namespace, ...delivered };
  const object = createHelmRelease(
    {
      ...names,
      chart,
      version,
      appVersion: `v${version}`,
      repository: repositoryName,
      driftDetection: release.driftDetection,
      interval: deps.interval,
      createdAt,
      deployedAt,
      lastPass: startedAt - random.between(1000, interval),
      ...(range === undefined ? {} : { range }),
      ...(weakened ? { more: weakened } : {}),
    },
    random,
  );
  placing.objects.releases.set(chart, helm.add(object, interval));
  register(parts, commonKinds.helmRelease, names);
}
