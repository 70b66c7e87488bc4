import type { ConfigFile } from './schema.ts';

/** A problem between parts of the file, with the path of the part to blame. */
export interface CrossProblem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** What no single part can know: names that are taken twice, clusters that do not exist. */
export function checkAcross(file: ConfigFile): readonly CrossProblem[] {
  return [...doubledNames(file), ...doubledRepositories(file), ...unknownClusters(file)];
}

function doubledNames(file: ConfigFile): readonly CrossProblem[] {
  const names = file.clusters.map((entry) => entry.name);
  return doubles(names, (index, name) => ({
    path: ['clusters', index, 'name'],
    message: `two clusters are called "${name}"`,
  }));
}

function doubledRepositories(file: ConfigFile): readonly CrossProblem[] {
  const urls = file.repositories.map((entry) => entry.url);
  return doubles(urls, (index, url) => ({ path: ['repositories', index, 'url'], message: `${url} is named twice` }));
}

function doubles(
  values: readonly (string | undefined)[],
  problem: (index: number, value: string) => CrossProblem,
): readonly CrossProblem[] {
  const seen = new Set<string>();
  const problems: CrossProblem[] = [];
  values.forEach((value, index) => {
    if (value === undefined) return;
    if (seen.has(value)) problems.push(problem(index, value));
    seen.add(value);
  });
  return problems;
}

/** A directory may hold clusters of any name: with one in the file, no name is unknown. */
function unknownClusters(file: ConfigFile): readonly CrossProblem[] {
  if (file.clusters.some((entry) => entry.directory !== undefined)) return [];
  const known = new Set(file.clusters.map((entry) => entry.name));
  const named = [
    ...file.alarms.map((source, index) => ({ path: ['alarms', index, 'clusters'], clusters: source.clusters ?? [] })),
    ...file.policy.maintenance.map((window, index) => ({
      path: ['policy', 'maintenance', index, 'clusters'],
      clusters: window.clusters,
    })),
  ];
  return named.flatMap(({ path, clusters }) =>
    clusters.flatMap((name, index) =>
      known.has(name) ? [] : [{ path: [...path, index], message: `no cluster is called "${name}"` }],
    ),
  );
}
