import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exitCode } from '../runtime/exit-code.ts';
import type { Output } from './output.ts';

const clusterRole = join(import.meta.dirname, '..', '..', 'deploy', 'rbac', 'clusterrole.yaml');

/** A group is named in full: "*" would be every group there is. */
const groupName = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;

/** `plumbline rbac`: prints the read-only ClusterRole, with one more rule for groups of providers where they are named. */
export async function rbac(providerGroups: readonly string[], output: Output): Promise<number> {
  const wrong = providerGroups.find((group) => !groupName.test(group));
  if (wrong !== undefined) {
    output.say(`"${wrong}" is not an API group such as s3.aws.upbound.io.`);
    return exitCode.usage;
  }
  const role = (await readFile(clusterRole, 'utf8')).trimEnd();
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
