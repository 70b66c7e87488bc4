import { stat } from 'node:fs/promises';
import type { CrossProblem } from './check-across.ts';
import type { PlumblineConfig } from './schema.ts';

/** The files and folders that a configuration names and that are not there, each with the path of the line to blame. */
export async function missingFiles(config: PlumblineConfig): Promise<readonly CrossProblem[]> {
  const checks: Promise<CrossProblem | null>[] = [];
  config.clusters.forEach((entry, index) => {
    switch (entry.type) {
      case 'directory':
        checks.push(missing(['clusters', index, 'directory'], entry.directory, 'folder'));
        break;
      case 'cluster':
        if (entry.kubeconfig !== null)
          checks.push(missing(['clusters', index, 'kubeconfig'], entry.kubeconfig, 'file'));
        break;
    }
  });
  config.alarms.forEach(({ tokenFile, ca }, index) => {
    if (tokenFile !== null) checks.push(missing(['alarms', index, 'tokenFile'], tokenFile, 'file'));
    if (ca !== null) checks.push(missing(['alarms', index, 'ca'], ca, 'file'));
  });
  const found = await Promise.all(checks);
  return found.filter((problem) => problem !== null);
}

async function missing(
  path: readonly PropertyKey[],
  target: string,
  kind: 'file' | 'folder',
): Promise<CrossProblem | null> {
  try {
    const found = await stat(target);
    if (found.isDirectory() === (kind === 'folder')) return null;
    return { path, message: `${target} is not a ${kind}` };
  } catch {
    return { path, message: `${target} does not exist` };
  }
}
