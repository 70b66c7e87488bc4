import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Output } from './output.ts';

const clusterRole = join(import.meta.dirname, '..', '..', 'deploy', 'rbac', 'clusterrole.yaml');

/** `plumbline rbac`: prints the read-only ClusterRole, with one more rule for groups of providers where they are named. */
export async function rbac(providerGroups: readonly string[], output: Output): Promise<number> {
  const role = (await readFile(clusterRole, 'utf8')).trimEnd();
  output.out(providerGroups.length === 0 ? role : `${role}\n${providerRule(providerGroups)}`);
  return 0;
}

function providerRule(groups: readonly string[]): string {
  return [
    '  # Managed resources of the providers that were named',
    `  - apiGroups: [${groups.join(', ')}]`,
    "    resources: ['*']",
    '    verbs: [get, list, watch]',
  ].join('\n');
}
