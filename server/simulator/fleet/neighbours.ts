import { day } from '#lib/domain/time/length.ts';
import { commonKinds, neighbourKinds } from '../api/kinds.ts';
import type { ServedKind } from '../api/kinds.ts';
import { runApplication, runArgo } from '../controllers/argo-controller.ts';
import { startTofuController } from '../controllers/tofu-controller.ts';
import type { DeploymentPlan } from '../objects/deployment.ts';
import { createKustomization, settleKustomization } from '../objects/kustomization.ts';
import { shaOf } from '../repository/control-repository.ts';
import { register } from './cluster-parts.ts';
import type { ClusterParts } from './cluster-parts.ts';
import { componentPath } from './plan.ts';

const [repository, namespace] = ['control-repo', 'flux-system'];
const { artifactGenerator, externalArtifact, terraform, application, statefulSet } = neighbourKinds;

/** The kinds of neighbours that a cluster serves: few clusters have any. */
export function kindsOfNeighbours(cluster: string): readonly ServedKind[] {
  if (cluster === 'sbx-1') return [artifactGenerator, externalArtifact, terraform];
  return cluster === 'sbx-2' ? [application, statefulSet] : [];
}

/** Adds them: artifacts that are cut out of the control repository and a Terraform object on one cluster, Argo CD on another. */
export function addNeighbours(parts: ClusterParts): void {
  if (parts.plan.name === 'sbx-1') {
    addGenerated(parts);
    addTerraform(parts);
  }
  if (parts.plan.name === 'sbx-2') addApplication(parts);
}

function addGenerated(parts: ClusterParts): void {
  const { plan, pods, watcher, kustomize, deps, random } = parts;
  const { startedAt } = deps;
  const createdAt = startedAt - 20 * day;
  const path = componentPath(plan, 'web');
  const [generator, name] = ['web-parts', 'web-assets'];
  pods.addFlux(watcher, startedAt - random.between(100, 4900));
  watcher.add({
    name: generator,
    makes: name,
    repository,
    path,
    createdAt,
    digestOf: (revision) => deps.repository.digestAt(path, shaOf(revision)),
  });
  const revision = watcher.artifacts.find(externalArtifact.kind, namespace, name)?.status.artifact?.revision ?? '';
  const inventory = [`web_${name}__ConfigMap`, `web_${name}-server_apps_Deployment`, `web_${name}-server__Service`];
  const { interval } = deps;
  const object = createKustomization(
    {
      name,
      path: './',
      source: { kind: 'ExternalArtifact', name },
      dependsOn: [],
      interval,
      retryInterval: interval,
      timeout: 60,
      wait: false,
      prune: true,
      inventory,
      createdAt,
    },
    random,
  );
  const digestOf = (text: string): string => text.replace(/^.*@/, '');
  const last = startedAt - random.between(1000, interval * 1000);
  const past = { revision, since: createdAt, last, passes: 900, digest: digestOf(revision) };
  settleKustomization(object, past, inventory, random);
  const traits = { interval: interval * 1000, retryInterval: interval * 1000, timeout: 60_000, inventory, digestOf };
  kustomize.add(object, traits);
  register(parts, artifactGenerator, { name: generator, namespace });
  register(parts, externalArtifact, { name, namespace });
  register(parts, commonKinds.kustomization, { name, namespace });
}

function addTerraform(parts: ClusterParts): void {
  const { plan, plane, pods, source, deps, random } = parts;
  const controller = startTofuController(plane, source, random);
  const deployment: DeploymentPlan = {
    name: controller.name,
    namespace,
    labels: { 'app.kubernetes.io/name': controller.name },
    container: {
      name: 'manager',
      image: 'ghcr.io/flux-iac/tofu-controller:v0.16.0',
      args: ['--enable-leader-election'],
    },
  };
  pods.add(controller, deployment, '1953de50.contrib.fluxcd.io', deps.startedAt - random.between(100, 4900));
  const name = 'dns-zones';
  const path = `terraform/${plan.name}/${name}`;
  controller.add({ name, repository, path, interval: deps.interval, createdAt: deps.startedAt - 60 * day });
  register(parts, terraform, { name, namespace });
}

function addApplication(parts: ClusterParts): void {
  const { plane, deps, random } = parts;
  const name = 'playground';
  runArgo(plane, deps.startedAt, random);
  runApplication(
    plane,
    {
      name,
      repository: deps.repository.url,
      path: `argocd/${parts.plan.name}/${name}`,
      namespace: name,
      workloads: ['api', 'worker'],
      syncedAt: deps.startedAt - 3 * day,
      head: () => deps.repository.head().sha,
    },
    random,
  );
  register(parts, application, { name, namespace: 'argocd' });
}
