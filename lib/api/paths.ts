import { isNormalPath } from '../domain/address/normal-path.ts';
import type { ObjectRef } from '../domain/observation/ref.ts';

const NONE = '-';

function segment(text: string): string {
  return text === '' ? NONE : encodeURIComponent(text);
}

function unsegment(text: string): string {
  return text === NONE ? '' : decodeURIComponent(text);
}

/** Page of a cluster. */
export function clusterPath(cluster: string): string {
  return `/clusters/${segment(cluster)}`;
}

/**
 * Page of an object: /clusters/{cluster}/{group}/{kind}/{namespace}/{name}.
 * "-" stands for the core group and for no namespace (neither can be a real name). Names that no path can carry, which Kubernetes takes for
 * none, have no page: they lead to that of their cluster, each by a fragment of its own.
 */
export function objectPath(ref: ObjectRef): string {
  const [cluster, names] = [clusterPath(ref.cluster), [ref.group, ref.kind, ref.namespace, ref.name]];
  const tail = names.map(segment).join('/');
  return names.every(isCarried) ? `${cluster}/${tail}` : `${cluster}#${tail}`;
}

/** Most names hold nothing that is escaped: they are not looked at further. */
function isCarried(name: string): boolean {
  return /^[A-Za-z0-9:_-][A-Za-z0-9:._-]*$/.test(name) || isNormalPath(`/${segment(name)}`);
}

/** The reference behind the five decoded or encoded segments of `objectPath`. */
export function refFromSegments(segments: {
  readonly cluster: string;
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}): ObjectRef {
  return {
    cluster: unsegment(segments.cluster),
    group: unsegment(segments.group),
    kind: unsegment(segments.kind),
    namespace: unsegment(segments.namespace),
    name: unsegment(segments.name),
  };
}

/** List of objects over all clusters, filtered: what a header of the matrix leads to. */
export function listPath(filter: { readonly [key: string]: string }): string {
  return withQuery('/objects', filter);
}

/** The page of exemptions and conflicts, filtered; `tab` is exemptions or conflicts. */
export function exemptionsPath(filter: { readonly [key: string]: string } = {}): string {
  return withQuery('/exemptions', filter);
}

/** Pages that show any past moment; what else there is shows the present or a period of its own. */
const ofAnyMoment = /^\/(?:$|\?|objects(?:$|\?)|alarms(?:$|\?)|incidents(?:$|[?/])|commits(?:$|[?/])|clusters\/)/;

/** A path of a page at a past moment (as in `momentText`); the path as it is for the present (null) and for pages that show no other. */
export function pathAt(path: string, at: string | null): string {
  if (at === null || !ofAnyMoment.test(path)) return path;
  const [base = '', hash] = path.split('#');
  const whole = `${base}${base.includes('?') ? '&' : '?'}at=${encodeURIComponent(at).replaceAll('%3A', ':')}`;
  return hash === undefined ? whole : `${whole}#${hash}`;
}

/** Path of the changes: `from`, `to` (as in `momentText`) or `last` as in the API, of a cluster; absent: the last day on every cluster. */
export function changesPath(period: { readonly [name in 'from' | 'to' | 'last' | 'cluster']?: string }): string {
  return withQuery('/changes', period).replaceAll('%3A', ':');
}

function withQuery(path: string, params: { readonly [key: string]: string }): string {
  const query = new URLSearchParams(params).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** Timelines of what a filter names: of one object, of the kinds on a cluster, or of a column across clusters. */
export function historyPath(filter: { readonly [key: string]: string }): string {
  return withQuery('/history', filter);
}

/** The list of absences, filtered. */
export function absencesPath(filter: { readonly [key: string]: string } = {}): string {
  return withQuery('/absences', filter);
}

/** The list of incidents, filtered. */
export function incidentsPath(filter: { readonly [key: string]: string } = {}): string {
  return withQuery('/incidents', filter);
}

/** Page of an incident by its id. */
export function incidentPath(id: string): string {
  return `/incidents/${segment(id)}`;
}

/** The commits of a branch, filtered. */
export function commitsPath(filter: { readonly [key: string]: string } = {}): string {
  return withQuery('/commits', filter);
}

/** Page of a commit, by 7 of its digits or more. */
export function commitPath(sha: string, filter: { readonly [key: string]: string } = {}): string {
  return withQuery(`/commits/${segment(sha)}`, filter);
}

/** Two directories of a repository compared, by the query of the API; the pairs that may be, without one. */
export function comparePath(query: { readonly [key: string]: string } = {}): string {
  return withQuery('/compare', query).replaceAll('%2F', '/');
}

/** The page of alarms, filtered. */
export function alarmsPath(filter: { readonly [key: string]: string } = {}): string {
  return withQuery('/alarms', filter);
}

/** The ledger of corrections, filtered. */
export function correctionsPath(filter: { readonly [key: string]: string } = {}): string {
  return withQuery('/corrections', filter);
}

/** The parts of a reference as filters of the record take them: "-" for the core group and for no namespace. */
export function refParams({ cluster, group, kind, namespace, name }: ObjectRef): { readonly [key: string]: string } {
  return { cluster, group: group === '' ? NONE : group, kind, namespace: namespace === '' ? NONE : namespace, name };
}

/** Where a pager's link leads on from, by the labels of its alert. */
export function goPath(labels: { readonly [label: string]: string } = {}): string {
  return withQuery('/go', labels).replaceAll('%3A', ':');
}

/** The report over a period, and with `part` what its figures are made of: spans, arrivals. */
export function reportsPath(
  query: { readonly [key: string]: string } = {},
  part: '' | '/spans' | '/arrivals' = '',
): string {
  return withQuery(`/reports${part}`, query).replaceAll('%3A', ':').replaceAll('%2C', ',');
}
