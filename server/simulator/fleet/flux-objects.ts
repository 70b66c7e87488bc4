import { createHash } from 'node:crypto';
import { day } from '#lib/domain/time/length.ts';
import { apiVersion, commonKinds } from '../api/kinds.ts';
import { kubeTime } from '../api/kube-object.ts';
import type { ControlPlane } from '../controllers/control-plane.ts';
import type { HelmController, HelmReleaseHandle } from '../controllers/helm-controller.ts';
import type { KustomizationHandle } from '../controllers/kustomization-item.ts';
import type { KustomizeController } from '../controllers/kustomize-controller.ts';
import type { Fetched, SourceController, SourceHandle } from '../controllers/source-controller.ts';
import { createHelmRelease } from '../objects/helm-release.ts';
import { createKustomization, settleKustomization } from '../objects/kustomization.ts';
import { uuid } from '../objects/metadata.ts';
import { createSource, settleSource } from '../objects/source.ts';
import type { Offer, SourcePlan } from '../objects/source.ts';
import type { Random } from '../random.ts';
import type { Commit } from '../repository/control-repository.ts';
import { revisionOf, shaOf } from '../repository/control-repository.ts';
import type { DemoDeps } from './demo-deps.ts';
import { refOf } from './refs.ts';
import type { ClusterPlan, Component } from './plan.ts';
import { componentPath, components, overlap } from './plan.ts';

/** What the Flux objects of one cluster are made with. */
export interface FluxParts {
  readonly plan: ClusterPlan;
  readonly plane: ControlPlane;
  readonly source: SourceController;
  readonly kustomize: KustomizeController;
  readonly helm: HelmController;
  readonly deps: DemoDeps;
  readonly random: Random;
}

/** Handles of the Flux objects of one cluster, by name; HelmCharts and HelmRepositories by kind and name. */
export interface FluxObjects {
  readonly sources: Map<string, SourceHandle>;
  readonly kustomizations: Map<string, KustomizationHandle>;
  readonly releases: Map<string, HelmReleaseHandle>;
}

/** What GitRepository says of a commit. */
export function gitOffer(commit: Commit): Fetched {
  const revision = revisionOf(commit);
  const offer: Offer = { revision, message: `stored artifact for revision '${revision}'`, reason: 'Succeeded' };
  return { is: 'fetched', offer, news: `stored artifact for commit '${commit.subject}'` };
}

function ociOffer(name: string, version: string, origin: Commit): Fetched {
  const digest = createHash('sha256').update(`${name}:${version}`).digest('hex');
  const revision = `${version}@sha256:${digest}`;
  const metadata = {
    'org.opencontainers.image.revision': revisionOf(origin),
    'org.opencontainers.image.source': 'https://git.acme.example/platform/policy-bundle.git',
    'org.opencontainers.image.created': kubeTime(origin.time),
  };
  const offer: Offer = { revision, metadata, message: `stored artifact for digest '${revision}'`, reason: 'Succeeded' };
  return {
    is: 'fetched',
    offer,
    news: `stored artifact with revision '${revision}' from 'oci://registry.acme.example/policy/${name}'`,
  };
}

function chartOffer(name: string, version: string): Fetched {
  const message = `pulled '${name}' chart with version '${version}'`;
  return { is: 'fetched', offer: { revision: version, message, reason: 'ChartPullSucceeded' }, news: message };
}

function indexOffer(name: string): Fetched {
  const revision = `sha256:${createHash('sha256').update(name).digest('hex')}`;
  const message = `stored artifact: revision '${revision}'`;
  return {
    is: 'fetched',
    offer: { revision, message, reason: 'Succeeded' },
    news: `stored fetched index of size 412.1kB from '${name}'`,
  };
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

/** Makes the sources, Kustomizations and HelmReleases of one cluster, with a past, and hands them to its controllers. */
export function addFluxObjects(parts: FluxParts): FluxObjects {
  const { plan, plane, source, kustomize, helm, deps, random } = parts;
  const { repository, startedAt, ledger } = deps;
  const interval = deps.interval * 1000;
  const lastSeen = deps.deadSince(plan.name) ?? startedAt;
  const createdAt = startedAt - 120 * day;
  const sources = new Map<string, SourceHandle>();
  const kustomizations = new Map<string, KustomizationHandle>();
  const releases = new Map<string, HelmReleaseHandle>();
  const head = repository.head();

  function addSource(
    made: Omit<SourcePlan, 'namespace' | 'createdAt' | 'interval'>,
    since: number,
    fetch: () => Fetched,
  ): SourceHandle {
    const object = createSource({ ...made, namespace: 'flux-system', createdAt, interval: deps.interval }, random);
    const fetched = fetch();
    if (fetched.is === 'fetched') settleSource(object, fetched.offer, since, random);
    const handle = source.add(object, interval, fetch);
    sources.set(
      made.kind === commonKinds.gitRepository || made.kind === commonKinds.ociRepository
        ? made.name
        : `${made.kind.kind}/${made.name}`,
      handle,
    );
    const ref = refOf(plan.name, made.kind, 'flux-system', made.name);
    ledger.register(
      ref,
      { verdict: 'converged', alsoRight: ['unconfirmed'], from: startedAt, within: 0 },
      made.deliveredBy,
    );
    return handle;
  }

  const gitSpec = { url: repository.url, ref: { branch: 'main' }, timeout: '60s' };
  addSource(
    { kind: commonKinds.gitRepository, name: 'control-repo', deliveredBy: null, spec: gitSpec },
    head.time + 20_000,
    () => gitOffer(repository.head()),
  );
  const ociSpec = {
    url: 'oci://registry.acme.example/policy/policy-bundle',
    ref: { semver: '>=3.0.0' },
    provider: 'generic',
    timeout: '60s',
  };
  addSource(
    { kind: commonKinds.ociRepository, name: 'policy-bundle', deliveredBy: null, spec: ociSpec },
    startedAt - 3 * day,
    () => ociOffer('policy-bundle', '3.8.1', head),
  );

  for (const component of components) {
    const oci = component.oci ? sources.get(component.oci) : undefined;
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
    const last = lastSeen - random.between(1000, interval);
    const since = Math.min(last, head.time + random.between(30_000, 90_000));
    settleKustomization(
      object,
      { revision, since, last, passes: Math.ceil((last - since) / interval) + 1, digest: digestOf(revision) },
      inventory,
      random,
    );
    const timeout = timeoutOf(component) * 1000;
    const handle = kustomize.add(
      object,
      {
        ...{ interval, retryInterval: Math.max(10_000, interval / 3), timeout, inventory, digestOf },
        fights: fights ? [overlap.resource] : [],
      },
      () => ({ is: 'ok' }),
    );
    kustomizations.set(component.name, handle);
    ledger.register(refOf(plan.name, commonKinds.kustomization, 'flux-system', component.name), {
      verdict: 'converged',
      alsoRight: ['unconfirmed'],
      from: startedAt,
      within: 0,
    });
    plane.store.put(namespaceObject(component.namespace, createdAt, random), commonKinds.namespace);
    if (component.release) addRelease(component, component.release);
  }
  return { sources, kustomizations, releases };

  function addRelease(component: Component, release: NonNullable<Component['release']>): void {
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
    const handle = addSource(
      { kind: commonKinds.helmChart, name: chartName, deliveredBy: null, spec: chartSpec },
      deployedAt - 30_000,
      () => chartOffer(chart, version),
    );
    handle.object.metadata.labels = {
      'helm.toolkit.fluxcd.io/name': chart,
      'helm.toolkit.fluxcd.io/namespace': component.namespace,
    };
    const object = createHelmRelease(
      {
        name: chart,
        namespace: component.namespace,
        chart,
        version,
        appVersion: `v${version}`,
        repository: repositoryName,
        driftDetection: release.driftDetection,
        interval: deps.interval,
        deliveredBy: component.name,
        createdAt,
        deployedAt,
        lastPass: startedAt - random.between(1000, interval),
        ...(range === undefined ? {} : { range }),
        ...(weakened ? { more: weakened } : {}),
      },
      random,
    );
    releases.set(chart, helm.add(object, interval));
    const ref = refOf(plan.name, commonKinds.helmRelease, component.namespace, chart);
    ledger.register(
      ref,
      { verdict: 'converged', alsoRight: ['unconfirmed'], from: startedAt, within: 0 },
      component.name,
    );
  }
}

function namespaceObject(
  name: string,
  createdAt: number,
  random: Random,
): { apiVersion: string; kind: string; metadata: { name: string; uid: string; creationTimestamp: string } } {
  return {
    apiVersion: apiVersion(commonKinds.namespace),
    kind: 'Namespace',
    metadata: { name, uid: uuid(random), creationTimestamp: kubeTime(createdAt) },
  };
}
