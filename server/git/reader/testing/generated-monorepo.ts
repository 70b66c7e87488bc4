import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

/** Size of a generated repository. */
export interface MonorepoSize {
  /** Along first parents; every tenth is a merge of one more. */
  readonly commits: number;
  readonly apps: number;
  readonly clusters: number;
  /** Files that nothing builds from. */
  readonly documents: number;
}

/** The size of the figure: 50,000 commits, 20,000 files, 5,000 paths. */
export const wholeSize: MonorepoSize = { commits: 50_000, apps: 100, clusters: 50, documents: 9_500 };
/** A tenth of it. */
export const smallSize: MonorepoSize = { commits: 5_000, apps: 50, clusters: 10, documents: 750 };

/** Every path that something is built from. */
export function monorepoPaths({ apps, clusters }: MonorepoSize): readonly string[] {
  return range(clusters).flatMap((cluster) => range(apps).map((app) => overlay(cluster, app)));
}

/**
 * Writes a repository of many clusters with git fast-import into an empty folder: bases of apps, an overlay of each for each cluster with a
 * patch and a shared component, documents. Most commits change one file, some a base, few a kustomization. The same each time.
 */
export async function generateMonorepo(directory: string, size: MonorepoSize): Promise<void> {
  const made = spawnSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', directory]);
  if (made.status !== 0) throw new Error('git init failed');
  await importAll(directory, commitsOf(size));
}

/** Adds a few commits, as a push would. */
export async function growMonorepo(directory: string, size: MonorepoSize, commits: number): Promise<void> {
  const random = randomOf(4_711);
  function* more(): Iterable<string> {
    for (let number = 0; number < commits; number += 1) {
      const time = 1_900_000_000 + number;
      const from = number === 0 ? 'refs/heads/main^0' : null;
      yield commit({ mark: number + 1, time, from, merge: null, files: change(size, random, time) });
    }
  }
  await importAll(directory, more());
}

async function importAll(directory: string, commits: Iterable<string>): Promise<void> {
  const git = spawn('git', ['--git-dir', directory, 'fast-import', '--quiet'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const closed = once(git, 'close');
  for (const each of commits) if (!git.stdin.write(each)) await once(git.stdin, 'drain');
  git.stdin.end();
  await closed;
  if (git.exitCode !== 0) throw new Error('git fast-import failed');
}

interface Written {
  readonly mark: number;
  readonly time: number;
  readonly from: string | null;
  readonly merge: string | null;
  readonly files: readonly (readonly [string, string])[];
}

function commit({ mark, time, from, merge, files }: Written): string {
  const message = `Change ${mark} (#${mark})`;
  const parents = `${from === null ? '' : `from ${from}\n`}${merge === null ? '' : `merge ${merge}\n`}`;
  const head = `commit refs/heads/main\nmark :${mark}\ncommitter Ada <ada@example.org> ${time} +0000\ndata ${message.length}\n${message}\n`;
  return `${head}${parents}${files.map(([path, text]) => `M 100644 inline ${path}\ndata ${text.length}\n${text}\n`).join('')}\n`;
}

function* commitsOf(size: MonorepoSize): Iterable<string> {
  const random = randomOf(20_261_128);
  yield commit({ mark: 1, time: 1_600_000_000, from: null, merge: null, files: everything(size) });
  let mark = 1;
  for (let number = 1; number < size.commits; number += 1) {
    const time = 1_600_000_000 + number * 60;
    const before = `:${mark}`;
    mark += 1;
    const files = change(size, random, number);
    if (number % 10 !== 0) {
      yield commit({ mark, time, from: before, merge: null, files });
      continue;
    }
    yield commit({ mark, time, from: before, merge: null, files });
    mark += 1;
    yield commit({ mark, time: time + 1, from: before, merge: `:${mark - 1}`, files });
  }
}

function everything(size: MonorepoSize): readonly (readonly [string, string])[] {
  const { apps, clusters, documents } = size;
  return [
    ...range(apps).flatMap((app) => baseFiles(app)),
    ['components/common/kustomization.yaml', 'kind: Component\npatches:\n  - path: labels.yaml\n'] as const,
    ['components/common/labels.yaml', 'labels: {}\n'] as const,
    ...range(clusters).flatMap((cluster) => range(apps).flatMap((app) => overlayFiles(cluster, app, 0))),
    ...range(documents).map((number) => [`docs/part-${number % 40}/page-${number}.md`, `Page ${number}\n`] as const),
  ];
}

function baseFiles(app: number): readonly (readonly [string, string])[] {
  const folder = `apps/app-${app}/base`;
  return [
    [`${folder}/kustomization.yaml`, 'resources:\n  - deployment.yaml\n  - service.yaml\n  - config.yaml\n'],
    [`${folder}/deployment.yaml`, 'kind: Deployment\n'],
    [`${folder}/service.yaml`, 'kind: Service\n'],
    [`${folder}/config.yaml`, 'kind: ConfigMap\n'],
  ];
}

function overlayFiles(cluster: number, app: number, version: number): readonly (readonly [string, string])[] {
  const names = `resources:\n  - ../../../apps/app-${app}/base\ncomponents:\n  - ../../../components/common\npatches:\n  - path: patch.yaml\n`;
  return [
    [`${overlay(cluster, app)}/kustomization.yaml`, `# ${version}\n${names}`],
    [`${overlay(cluster, app)}/patch.yaml`, `version: ${version}\n`],
  ];
}

function overlay(cluster: number, app: number): string {
  return `clusters/cluster-${cluster}/app-${app}`;
}

function change(size: MonorepoSize, random: () => number, version: number): readonly (readonly [string, string])[] {
  const pick = (count: number): number => Math.floor(random() * count);
  const [app, cluster, kind] = [pick(size.apps), pick(size.clusters), random()];
  const page = pick(size.documents);
  const [kustomization, patch] = overlayFiles(cluster, app, version);
  if (kind < 0.02 && kustomization !== undefined) return [kustomization];
  if (kind < 0.12) return [[`apps/app-${app}/base/deployment.yaml`, `kind: Deployment\n# ${version}\n`]];
  if (kind < 0.122) return [['components/common/labels.yaml', `labels: { version: v${version} }\n`]];
  if (kind < 0.7 && patch !== undefined) return [patch];
  return [[`docs/part-${page % 40}/page-${page}.md`, `Page ${page} of ${version}\n`]];
}

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_, number) => number);
}

/** Numbers from 0 up to 1 that look like chance (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
