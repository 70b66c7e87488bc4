import { clusterRole } from '../collector/reconcilers/cluster-role.ts';
import { exitCode } from '../runtime/exit-code.ts';
import type { Output } from './output.ts';

/** A group is named in full: "*" would be every group there is. */
const groupName = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;

/** `plumbline rbac`: prints the read-only ClusterRole, with one more rule for groups of providers where they are named. */
export function rbac(providerGroups: readonly string[], output: Output): number {
  const wrong = providerGroups.find((group) => !groupName.test(group));
  if (wrong !== undefined) {
    output.say(`"${wrong}" is not an API group such as s3.aws.upbound.io.`);
    return exitCode.usage;
  }
  const role = clusterRole().trimEnd();
  output.out(providerGroups.length === 0 ? role : `${role}\n${providerRule(providerGroups)}`);
  return exitCode.ok;
}

function providerRule(groups: readonly string[]): string {
  return [
    '  # Managed resources of the providers that were named',
    `  - apiGroups: [${groups.join(', ')}]`,
    "    resources: ['*']",
    '    verbs: [get, list, watch]',
  ].join('\n');
}
