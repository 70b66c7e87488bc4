import { alarmingKinds } from '#lib/domain/alarm/alarming/kinds.ts';
import type { LoggedRequest, RequestLog } from '#server/simulator/api/request-log.ts';

/** True if a request reads a whole watched kind anew: a list or a watch that asks for the first objects. */
export function isRelist({ method, path }: Pick<LoggedRequest, 'method' | 'path'>): boolean {
  if (method !== 'GET') return false;
  const [place = '', query = ''] = path.split('?');
  const asked = new URLSearchParams(query);
  if (asked.get('watch') === 'true') return asked.get('sendInitialEvents') === 'true';
  // Discovery, the version, Leases and Deployments, and probes of kinds without objects are no lists of what is watched.
  if (!/^\/apis\/[^/]+\/[^/]+\/[^/]+$/.test(place) || place === '/apis/apps/v1/deployments') return false;
  return asked.get('limit') !== '1';
}

/** Kinds that say who is called have no resume point: they are listed at each start. */
const listedAtStart: ReadonlySet<string> = new Set(alarmingKinds.map(({ resource, group }) => `${resource}.${group}`));

/**
 * The kinds (plural.group) of one cluster that were listed since `from` (ms), each as often as it was, refused ones included; none of those that are
 * listed at each start.
 */
export function relistsSince(requests: RequestLog, cluster: string, from: number): readonly string[] {
  return requests
    .all()
    .filter((request) => request.cluster === cluster && request.at >= from && isRelist(request))
    .map(({ path }) => {
      const [, , group = '', , resource = ''] = (path.split('?')[0] ?? '').split('/');
      return `${resource}.${group}`;
    })
    .filter((kind) => !listedAtStart.has(kind))
    .toSorted();
}
