import type { ClusterPlan, Component } from '../fleet/plan.ts';
import { componentPath, components } from '../fleet/plan.ts';

/** The kustomization.yaml of a component on a cluster: the shared base and the version that runs there. */
export function overlay(component: Component, version: string, more: readonly string[] = []): string {
  const base = component.layer === 'apps' ? 'apps' : 'infrastructure';
  const resources = [`../../../../../${base}/${component.name}`, ...more]
    .map((resource) => `  - ${resource}`)
    .join('\n');
  return [
    'apiVersion: kustomize.config.k8s.io/v1beta1',
    'kind: Kustomization',
    `namespace: ${component.namespace}`,
    'resources:',
    resources,
    'images:',
    `  - name: registry.acme.example/${component.name}`,
    `    newTag: "${version}"`,
    '',
  ].join('\n');
}

/** The path of that file. */
export function overlayPath(cluster: ClusterPlan, component: Component): string {
  return `${componentPath(cluster, component.name)}/kustomization.yaml`;
}

function fluxKustomization(cluster: ClusterPlan, component: Component): string {
  const source = component.oci
    ? { kind: 'OCIRepository', name: component.oci }
    : { kind: 'GitRepository', name: 'control-repo' };
  const dependsOn =
    component.dependsOn.length > 0 ? ['  dependsOn:', ...component.dependsOn.map((name) => `    - name: ${name}`)] : [];
  return [
    'apiVersion: kustomize.toolkit.fluxcd.io/v1',
    'kind: Kustomization',
    'metadata:',
    `  name: ${component.name}`,
    '  namespace: flux-system',
    'spec:',
    ...dependsOn,
    '  interval: 1m',
    '  prune: true',
    `  wait: ${component.wait}`,
    `  path: ./${componentPath(cluster, component.name)}`,
    '  sourceRef:',
    `    kind: ${source.kind}`,
    `    name: ${source.name}`,
    '',
  ].join('\n');
}

function deployment(component: Component, workload: string): string {
  return [
    'apiVersion: apps/v1',
    'kind: Deployment',
    'metadata:',
    `  name: ${workload}`,
    'spec:',
    '  selector:',
    `    matchLabels: { app: ${workload} }`,
    '  template:',
    '    metadata:',
    `      labels: { app: ${workload} }`,
    '    spec:',
    '      containers:',
    `        - name: ${workload}`,
    `          image: registry.acme.example/${component.name}`,
    '',
  ].join('\n');
}

/** Everything that the first commit brings. */
export function firstFiles(clusters: readonly ClusterPlan[]): Map<string, string> {
  const files = new Map<string, string>([
    ['README.md', '# Control repository\n\nEverything that runs, by cluster. Merged here is deployed.\n'],
  ]);
  for (const component of components) {
    const base = `${component.layer === 'apps' ? 'apps' : 'infrastructure'}/${component.name}`;
    const names = component.workloads.map((workload) => `${workload}.yaml`);
    files.set(`${base}/kustomization.yaml`, ['resources:', ...names.map((name) => `  - ${name}`), ''].join('\n'));
    for (const workload of component.workloads) files.set(`${base}/${workload}.yaml`, deployment(component, workload));
    for (const cluster of clusters) {
      files.set(overlayPath(cluster, component), overlay(component, component.version));
      files.set(
        `clusters/${cluster.environment}/${cluster.name}/flux/${component.name}.yaml`,
        fluxKustomization(cluster, component),
      );
    }
  }
  return files;
}
