import { isDeepStrictEqual } from 'node:util';
import type { Labels } from '#lib/domain/alarm/fact.ts';
import type { ClusterAttribution } from '#lib/domain/alarm/source.ts';
import type { Label } from '#lib/domain/pager/label.ts';
import { foreignName } from '#lib/foreign-words.ts';
import { formatTime } from '#lib/format/time.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { fingerprintIn } from './found.ts';
import { callsWith, type CallSearch } from './calls-with.ts';

/** Labels with what was found beside those that a link gave, how, and what was looked for in vain. */
export interface Completed {
  /** All of them: those given count first, but for the cluster. */
  readonly labels: readonly Label[];
  /** Those that were not given, or are other than given. */
  readonly found: readonly Label[];
  /** A sentence on each thing that was looked up: how it was found, or why not. */
  readonly foundBy: readonly string[];
  /** A fingerprint was given, and is not known. */
  readonly isMissing: boolean;
}

/** An alert that a fingerprint names. */
interface NamedAlert {
  readonly labels: Labels;
  /** As its source attributes it. */
  readonly cluster: string | null;
}

/**
 * Completes labels by what alarm sources tell: a fingerprint by the alert that has it now, or that called around `at` (ms; null for of late); the name of a
 * cluster by the labels and the values that plumbline.yaml says of its sources.
 */
export async function completed(moment: KnownMoment, given: readonly Label[], at: number | null): Promise<Completed> {
  const fingerprint = fingerprintIn(given);
  const search = fingerprint === null ? null : await alertOf(moment, fingerprint, at);
  const alert = search?.alert ?? null;
  const names = new Set(given.map(({ name }) => name));
  const attributions = moment.alarms.sources().map(({ attribution }) => attribution);
  // Labels of an alert that its source attributes to no cluster name none either: it does not speak for the one that they say.
  const naming = new Set(['cluster', ...(alert?.cluster === null ? attributions.map(({ label }) => label) : [])]);
  const ofAlert = labelsOf(alert).filter(({ name }) => !names.has(name) && !naming.has(name));
  const isCluster = (name: string): boolean => moment.fleetCache.clusterCache(name) !== null;
  const cluster = withCluster(alert, names) ?? attributed(given, attributions, isCluster);
  const found = cluster === null ? ofAlert : [...ofAlert.filter(({ name }) => name !== 'cluster'), cluster];
  const replaced = new Set(found.map(({ name }) => name));
  return {
    labels: [...given.filter(({ name }) => !replaced.has(name)), ...found],
    found,
    foundBy: [...(search === null ? [] : [search.text]), ...clusterText(given, cluster)],
    isMissing: search !== null && alert === null,
  };
}

/** Parameters of a link that are no labels. */
const noLabels: ReadonlySet<string> = new Set(['at', 'startsAt', 'labels', 'theme']);

function labelsOf(alert: NamedAlert | null): readonly Label[] {
  return Object.entries(alert?.labels ?? {}).flatMap(([name, value]) => (noLabels.has(name) ? [] : [{ name, value }]));
}

function withCluster(alert: NamedAlert | null, given: ReadonlySet<string>): Label | null {
  if (alert === null || alert.cluster === null || given.has('cluster')) return null;
  return { name: 'cluster', value: alert.cluster };
}

/** The cluster that labels name as the sources say it, where they do not name it by its own name. */
function attributed(
  labels: readonly Label[],
  attributions: readonly ClusterAttribution[],
  isCluster: (name: string) => boolean,
): Label | null {
  const values = new Map(labels.map(({ name, value }) => [name, value.trim()]));
  if (isCluster(values.get('cluster') ?? '')) return null;
  const named = attributions.flatMap(({ label, aliases }) => {
    const value = values.get(label) ?? '';
    const cluster = Object.hasOwn(aliases, value) ? (aliases[value] ?? value) : value;
    return isCluster(cluster) ? [cluster] : [];
  });
  const [first] = named;
  return first === undefined || named.some((name) => name !== first) ? null : { name: 'cluster', value: first };
}

function clusterText(given: readonly Label[], cluster: Label | null): readonly string[] {
  const before = given.find(({ name }) => name === 'cluster');
  if (cluster === null || before === undefined) return [];
  return [`Cluster ${foreignName(before.value)} is ${cluster.value}, by plumbline.yaml.`];
}

interface Search {
  readonly alert: NamedAlert | null;
  readonly text: string;
}

async function alertOf(moment: KnownMoment, fingerprint: string, at: number | null): Promise<Search> {
  const now = moment.now();
  const what = `Fingerprint ${foreignName(fingerprint)}`;
  const [notice, ...others] = moment.alarms.noticesWith(fingerprint);
  if (notice !== undefined) {
    // A fingerprint is that of its labels: where sources do not agree, one of them may have taken that of another.
    const unlike = others.find((other) => !isSame(notice, other));
    if (unlike !== undefined)
      return { alert: null, text: `${what} is told of several alerts, by ${notice.source} and ${unlike.source}.` };
    const { source, alert, labels, cluster, startsAt } = notice;
    const text = `${what} is an alert ${alert} that ${source} has since ${formatTime(startsAt, now)}.`;
    return { alert: { labels, cluster }, text };
  }
  const search = await callsWith(moment, fingerprint, at);
  if (search.call === null) return { alert: null, text: `${what} is not known: ${missingText(moment, search)}` };
  const { source, alert, labels, cluster, startsAt } = search.call;
  const text = `${what} was an alert ${alert} of ${source}, which called from ${formatTime(startsAt, now)} on.`;
  return { alert: { labels, cluster }, text };
}

function isSame(one: NamedAlert, other: NamedAlert): boolean {
  return one.cluster === other.cluster && isDeepStrictEqual(one.labels, other.labels);
}

function missingText({ alarms }: KnownMoment, { isRead, isWhole, where }: CallSearch): string {
  if (alarms.sources().length === 0)
    return 'no alarm source is configured, so the link must carry the labels themselves.';
  const inRecord = isRead
    ? `none of the calls ${where} had it${isWhole ? '' : ', of those that were looked through'}`
    : 'the record of calls cannot be read now';
  return `no Alertmanager that is read has it now, and ${inRecord}. Its Alertmanager may tell its labels.`;
}
