import { authProblems } from './access/check-auth.ts';
import { alarmSourceName } from './alarms-schema.ts';
import { rowOf } from './declared-stack.ts';
import type { ConfigFile } from './schema.ts';

/** A problem between parts of the file, with the path of the part to blame. */
export interface CrossProblem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Problems that no single part can know: names that are taken twice, clusters that do not exist. */
export function checkAcross(file: ConfigFile): readonly CrossProblem[] {
  return [
    ...doubledNames(file),
    ...doubledRepositories(file),
    ...doubledStacks(file),
    ...doubledAlarmSources(file),
    ...rowsThatAreClusters(file),
    ...labelsAtOdds(file),
    ...unknownClusters(file),
    ...authProblems(file),
  ];
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

function doubledStacks(file: ConfigFile): readonly CrossProblem[] {
  const positions = file.stacks.map((stack) => `"${stack.name}" in the row "${rowOf(stack)}"`);
  return doubles(positions, (index, position) => ({
    path: ['stacks', index, 'name'],
    message: `two stacks are called ${position}`,
  }));
}

function doubledAlarmSources(file: ConfigFile): readonly CrossProblem[] {
  return doubles(file.alarms.map(alarmSourceName), (index, name) => ({
    path: ['alarms', index],
    message: `two alarm sources are called "${name}": give one of them another name`,
  }));
}

/** A row of its own that is called like a cluster would be two things under one name. */
function rowsThatAreClusters(file: ConfigFile): readonly CrossProblem[] {
  const known = new Set(file.clusters.map((entry) => entry.name));
  return file.stacks.flatMap(({ row }, index) =>
    row !== undefined && known.has(row)
      ? [{ path: ['stacks', index, 'row'], message: `"${row}" is a cluster: say cluster instead of row` }]
      : [],
  );
}

/** Stacks of one row share its labels. */
function labelsAtOdds(file: ConfigFile): readonly CrossProblem[] {
  const said = new Map<string, string>();
  const problems: CrossProblem[] = [];
  file.stacks.forEach((stack, index) => {
    for (const [label, value] of Object.entries(stack.labels)) {
      const key = `${rowOf(stack)}\n${label}`;
      const before = said.get(key) ?? value;
      said.set(key, before);
      if (before === value) continue;
      const message = `the row "${rowOf(stack)}" has the label ${label}: ${before} already`;
      problems.push({ path: ['stacks', index, 'labels', label], message });
    }
  });
  return problems;
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
  const named = file.policy.maintenance.map((window, index) => ({
    path: ['policy', 'maintenance', index, 'clusters'],
    clusters: window.clusters,
  }));
  const unknown = (name: string, path: readonly PropertyKey[]): readonly CrossProblem[] =>
    known.has(name) ? [] : [{ path, message: `no cluster is called "${name}"` }];
  const alarms = file.alarms.flatMap(({ clusters, clusterNames }, index) => [
    ...clusters.flatMap((name, at) => unknown(name, ['alarms', index, 'clusters', at])),
    ...Object.entries(clusterNames).flatMap(([value, name]) => unknown(name, ['alarms', index, 'clusterNames', value])),
  ]);
  return [
    ...alarms,
    ...named.flatMap(({ path, clusters }) => clusters.flatMap((name, index) => unknown(name, [...path, index]))),
    ...file.stacks.flatMap(({ cluster }, index) =>
      cluster === undefined ? [] : unknown(cluster, ['stacks', index, 'cluster']),
    ),
  ];
}
