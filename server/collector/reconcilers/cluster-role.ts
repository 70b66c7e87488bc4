import { alarmingKinds } from '#lib/domain/alarm/alarming/kinds.ts';
import { settingsMap, shardsMap } from './argocd/controller.ts';
import { adapters } from './registry.ts';

const watched = 'get, list, watch';

/** Resources read beside the objects of reconcilers, each with its reason. */
const besides = [
  {
    why: 'Signs of life: leases and Deployments of controllers (listed, not watched), events of objects',
    group: 'coordination.k8s.io',
    resources: ['leases'],
    verbs: 'get, list',
  },
  { why: null, group: 'apps', resources: ['deployments'], verbs: 'get, list' },
  { why: null, group: '', resources: ['events'], verbs: watched },
] as const;

const argo = `  # Signs of life of Argo CD: its application-controller, the heartbeat of its shards, and how often it compares
  - apiGroups: [apps]
    resources: [statefulsets]
    verbs: [get, list]
  - apiGroups: ['']
    resources: [configmaps]
    resourceNames: [${settingsMap}, ${shardsMap}]
    verbs: [get]
`;

const header = `# Everything that Plumbline may do on a cluster: read, and only what it judges by.
# Groups are named one by one: no "*" for a group, no Secrets, no verb that changes anything.
# Crossplane providers bring groups of their own: \`plumbline rbac --context NAME\` names those of a cluster, as the last rule shows.
# Written by \`plumbline rbac\` from what the adapters name; a test holds the two against each other.
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: plumbline
  labels:
    app.kubernetes.io/name: plumbline
rules:
`;

const example = `  # One rule for the groups of your Crossplane providers, composites and claims, for example:
  # - apiGroups: [s3.aws.m.upbound.io, ec2.aws.m.upbound.io, platform.example.org]
  #   resources: ["*"]
  #   verbs: [get, list, watch]
`;

function rule(group: string, resources: readonly string[], verbs = watched): string {
  const named =
    resources.length > 3
      ? `\n${resources.map((resource) => `      - ${resource}\n`).join('')}`
      : ` [${resources.join(', ')}]\n`;
  return `  - apiGroups: [${group === '' ? "''" : group}]\n    resources:${named}    verbs: [${verbs}]\n`;
}

function rulesOf(kinds: readonly { readonly group: string; readonly resource: string }[]): string {
  return [...Map.groupBy(kinds, ({ group }) => group)]
    .map(([group, found]) => rule(group, found.map(({ resource }) => resource).toSorted()))
    .join('');
}

/** One more rule of the ClusterRole, for groups of providers, composites and claims. */
export function groupsRule(groups: readonly string[]): string {
  const named =
    groups.length > 3 ? `\n${groups.map((group) => `      - ${group}\n`).join('')}` : ` [${groups.join(', ')}]\n`;
  return `  # Managed resources, composites and claims of Crossplane\n  - apiGroups:${named}    resources: ['*']\n    verbs: [${watched}]\n`;
}

/**
 * The read-only ClusterRole as YAML: the kinds that adapters name, and what shows that their controllers live.
 * deploy/rbac/clusterrole.yaml is this text.
 */
export function clusterRole(): string {
  const parts = adapters.map(({ reconciler, kinds }) => `  # ${reconciler}\n${rulesOf(kinds)}`);
  const alarming = `  # Who is called: read for what they say of alarms, not judged\n${rulesOf(alarmingKinds)}`;
  const others = besides.map(
    ({ why, group, resources, verbs }) => (why === null ? '' : `  # ${why}\n`) + rule(group, resources, verbs),
  );
  return header + parts.join('') + alarming + others.join('') + argo + example;
}
