import { withoutAlarms } from '#lib/domain/alarm/known-object.ts';
import { clusterAsKnownAt } from '#lib/domain/verdict/as-known-at.ts';
import type { CurrentCluster, CurrentObject } from '#lib/domain/record/current.ts';
import { legibleJson } from '#lib/domain/observation/legible.ts';
import { driftGoesUnseen } from '#lib/domain/observation/drift.ts';
import { isOnlyDeclared, objectRank } from '#lib/domain/verdict/only-declared.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { countOf } from '#lib/format/number.ts';
import { lacksMeasure, unmeasuredText } from '#lib/format/verdict-label.ts';
import { selectedConfig } from '../config/selected-config.ts';
import { problemLine } from '../config/problem.ts';
import { systemClock } from '../runtime/clock.ts';
import { exitCode } from '../runtime/exit-code.ts';
import { createLog, logLevelRefusal, readLogLevel } from '../runtime/log.ts';
import { linksOf } from '../web/wire/wire-context.ts';
import { wireObject } from '../web/wire/object/wire-object.ts';
import { inColumns } from './columns.ts';
import type { Output } from './output.ts';
import { readOnce, type FleetReading, type Progress } from './read-once.ts';
import { selectClusters, type ClusterOptions } from './select-clusters.ts';

/** Options of `plumbline check` beside the choice of clusters. */
export interface CheckOptions extends ClusterOptions {
  readonly output: 'table' | 'json';
  /** Seconds that the look may take in all. */
  readonly timeout: number;
}

const outcome: Readonly<Record<Verdict, 'away' | 'unknown' | 'fine'>> = {
  diverged: 'away',
  drifted: 'away',
  unhealthy: 'away',
  stale: 'away',
  unobserved: 'unknown',
  suspended: 'fine',
  behind: 'away',
  waiting: 'away',
  progressing: 'away',
  unconfirmed: 'unknown',
  converged: 'fine',
};

/** Names of what could not be read, in words: clusters that are not seen, and kinds that are refused or fail. */
export function blindSpots(clusters: readonly CurrentCluster[], now: number): readonly string[] {
  return clusters.flatMap((cluster) => {
    const known = clusterAsKnownAt(cluster, now);
    // What is declared says of itself that nothing reports on it.
    if (known.state === 'declared') return [];
    if (known.state !== 'live') return [`${cluster.name}: ${known.state}${known.reason ? `: ${known.reason}` : ''}`];
    return cluster.feeds
      .filter((feed) => feed.state !== 'live' && feed.state !== 'idle' && feed.state !== 'absent')
      .map((feed) => `${cluster.name}: ${feed.kind} ${feed.state}${feed.reason ? `: ${feed.reason}` : ''}`);
  });
}

/** Cautions on the clusters that were read, a line each. */
function cautionsOf(clusters: readonly CurrentCluster[]): readonly string[] {
  return clusters.flatMap(({ name, cautions }) => cautions.map((caution) => `${name}: ${caution}`));
}

/** 1 where any object is neither converged nor suspended, else 2 where something could not be observed or confirmed, or no object was found, else 0. What is only declared never can be, and turns nothing. */
export function checkExitCode(objects: readonly CurrentObject[], blind: readonly string[]): 0 | 1 | 2 {
  const observed = objects.filter((object) => !isOnlyDeclared(object));
  if (observed.some((object) => outcome[object.verdict] === 'away')) return 1;
  return observed.length === 0 || blind.length > 0 || observed.some((object) => outcome[object.verdict] === 'unknown')
    ? 2
    : 0;
}

/** Result of a check, in one line; null where there is nothing to say. */
export function checkSummary(objects: readonly CurrentObject[]): string | null {
  const observed = objects.filter((object) => !isOnlyDeclared(object));
  const away = observed.filter((object) => outcome[object.verdict] === 'away').length;
  const unknown = observed.filter((object) => outcome[object.verdict] === 'unknown').length;
  const unmeasured = observed.filter(driftGoesUnseen).length;
  const parts = [
    ...(away === 0 ? [] : [`${away} neither converged nor suspended`]),
    ...(unknown === 0 ? [] : [`${unknown} not observed or not confirmed`]),
    ...(unmeasured === 0 ? [] : [`drift is not measured of ${unmeasured}`]),
  ];
  const declared = objects.length - observed.length;
  const said = [
    ...(observed.length === 0 ? ['That cannot be said: no object is known'] : []),
    ...(parts.length === 0 ? [] : [`Of ${countOf(observed.length, 'object')}: ${parts.join(', ')}`]),
    ...(declared === 0
      ? []
      : [`${countOf(declared, 'declared stack')} ${declared === 1 ? 'is' : 'are'} never observed`]),
  ];
  return said.length === 0 ? null : said.join('. ');
}

/** The order of the table: the worst first, what is only declared after all that deviates. */
export function checkOrder(a: CurrentObject, b: CurrentObject): number {
  return (
    objectRank(a) - objectRank(b) ||
    a.ref.cluster.localeCompare(b.ref.cluster) ||
    a.ref.kind.localeCompare(b.ref.kind) ||
    a.ref.namespace.localeCompare(b.ref.namespace) ||
    a.ref.name.localeCompare(b.ref.name)
  );
}

/** The table for people: a head, then a line an object; what is converged says nothing but that nobody compares it. */
export function checkTable(objects: readonly CurrentObject[]): readonly string[] {
  const rows = objects.map((object) => {
    const { verdict, ref, reason, sentence } = object;
    const said = verdict === 'converged' ? '' : sentence;
    const name = ref.namespace === '' ? ref.name : `${ref.namespace}/${ref.name}`;
    const words = lacksMeasure(object, said) ? `${said} ${unmeasuredText}`.trim() : said;
    return [verdict, ref.cluster, ref.kind, name, reason, words];
  });
  return inColumns([['VERDICT', 'CLUSTER', 'KIND', 'NAME', 'REASON', ''], ...rows]);
}

function write(
  reading: FleetReading,
  objects: readonly CurrentObject[],
  options: CheckOptions,
  config: Parameters<typeof readOnce>[0]['config'],
  output: Output,
): void {
  if (options.output === 'table') {
    for (const line of checkTable(objects)) output.out(line);
    return;
  }
  const context = { now: reading.at, policy: config.policy, links: linksOf(config.repositories) };
  for (const object of objects) output.out(legibleJson(JSON.stringify(wireObject(withoutAlarms(object), context))));
}

/** A controller is believed to live once its lease was seen moving: that is what takes longest, and no longer than is waited at all. In s. */
function whyItTakes(timeout: number): string {
  return `about ${Math.min(20, timeout)} s, for a lease that was never seen moving proves nothing`;
}

/** "2 of 5 clusters read, 3 being read (...)", where at most `timeout` seconds are waited. */
export function progressText({ done, reading, clusters }: Progress, timeout: number): string {
  const left = reading === 0 ? '' : `, ${reading} being read: ${whyItTakes(timeout)}`;
  const silent = clusters - done - reading;
  const away = silent === 0 ? '' : `, ${silent} not answering yet`;
  return `${done} of ${clusters} ${clusters === 1 ? 'cluster' : 'clusters'} read${away}${left}`;
}

/** `plumbline check`: list, judge, print, once. Gives the exit code. Objects go to standard output, blind spots are said. */
export async function check(options: CheckOptions, output: Output): Promise<number> {
  const level = logLevelRefusal(process.env);
  if (level !== null) {
    output.say(`${level}.`);
    return exitCode.usage;
  }
  const selected = await selectClusters(options, process.env);
  if (selected.type === 'refused') {
    for (const line of selected.lines) output.say(line);
    return selected.code;
  }
  const loaded = await selectedConfig(selected.selection);
  if (loaded.type === 'invalid') {
    for (const problem of loaded.problems) output.say(problemLine('plumbline.yaml', problem));
    return exitCode.config;
  }
  const log = createLog('check', readLogLevel(process.env, 'error'));
  if (!output.status) output.say(`Reading the clusters, ${whyItTakes(options.timeout)}`);
  const reading = await readOnce({
    config: loaded.config,
    clock: systemClock,
    log,
    within: options.timeout * 1000,
    onProgress: (progress) => output.status?.(progressText(progress, options.timeout)),
  });
  output.status?.(null);
  for (const line of reading.leftOut) output.say(`Left out: ${line}`);
  if (reading.clusters.length === 0) return checkExitCode([], []);
  for (const line of cautionsOf(reading.clusters)) output.say(`Note: ${line}`);
  const objects = reading.objects.toSorted(checkOrder);
  const blind = blindSpots(reading.clusters, reading.at);
  write(reading, objects, options, loaded.config, output);
  for (const line of blind) output.say(`Not seen: ${line}`);
  const summary = options.output === 'table' || objects.length === 0 ? checkSummary(objects) : null;
  if (summary !== null) output.say(summary);
  return checkExitCode(objects, blind);
}
