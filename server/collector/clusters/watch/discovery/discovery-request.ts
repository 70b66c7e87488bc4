import { countOf, formatCount } from '#lib/format/number.ts';
import { type Answer, type Failure, failure } from '../../answer.ts';
import { apiPath } from '../../api-path.ts';
import {
  type DiscoveredVersion,
  isVersionNamed,
  readAggregated,
  readGroups,
  readResources,
} from './discovery-document.ts';
import type { Transport } from '../../transport/transport.ts';
import type { ClusterTuning } from '../../tuning.ts';

const aggregated = [
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
  'application/json',
].join(',');

/** All that a cluster serves, by group version. `legacy`: it had to be asked in the older form. */
export type Found =
  | { readonly type: 'ok'; readonly versions: readonly DiscoveredVersion[]; readonly legacy: boolean }
  | { readonly type: 'not-modified' }
  | Failure;

/** Asks a cluster what it serves; an answer that is the same as the one before is `not-modified`. */
export function createDiscoveryRequest(transport: Transport, tuning: ClusterTuning, signal: AbortSignal) {
  let etag: string | null = null;

  function get(path: string, accept: string, tag: string | null): Promise<Answer> {
    const options = { accept, timeout: tuning.getTimeout, most: tuning.answerBytes, signal };
    return transport.get(path, tag === null ? options : { ...options, etag: tag });
  }

  /** The older form: one request per group version, four at a time; one that fails counts as stale. */
  async function eachVersion(
    groups: readonly { readonly group: string; readonly versions: readonly string[] }[],
  ): Promise<DiscoveredVersion[]> {
    const wanted = groups.flatMap(({ group, versions }) => versions.map((version) => ({ group, version })));
    const found: DiscoveredVersion[] = [];
    let next = 0;
    async function work(): Promise<void> {
      for (let index = next++; index < wanted.length && !signal.aborted; index = next++) {
        const item = wanted[index];
        if (!item) return;
        if (!isVersionNamed(item)) {
          found[index] = { ...item, stale: false, ...nothing, misnamed: 1 };
          continue;
        }
        const answer = await get(apiPath('apis', item.group, item.version), 'application/json', null);
        const read = answer.type === 'ok' ? readResources(answer.body, item.group, item.version) : nothing;
        found[index] = { ...item, stale: answer.type !== 'ok', ...read };
      }
    }
    await Promise.all([work(), work(), work(), work()]);
    return found.filter((version) => version !== undefined);
  }

  return {
    async ask(): Promise<Found> {
      const answer = await get('/apis', aggregated, etag);
      if (answer.type === 'fault' || answer.type === 'not-modified') return answer;
      if (answer.type === 'too-large') return tooLarge;
      const versions = readAggregated(answer.body);
      if (versions !== null) {
        const kinds = countKinds(versions);
        if (kinds > tuning.kindsAtMost) return tooMany(kinds);
        // A stale version must be asked again, whatever the etag says.
        etag = versions.some((version) => version.stale) ? null : answer.etag;
        return { type: 'ok', versions, legacy: false };
      }
      const groups = readGroups(answer.body);
      if (groups === null) return notUnderstood;
      if (groups.reduce((sum, group) => sum + group.versions.length, 0) > groupVersionsAtMost) return tooManyGroups;
      const found = await eachVersion(groups);
      return countKinds(found) > tuning.kindsAtMost
        ? tooMany(countKinds(found))
        : { type: 'ok', versions: found, legacy: true };
    },
    /** The next answer is to come whole. */
    forget(): void {
      etag = null;
    },
  };
}

/** The older form costs one request for each. */
const groupVersionsAtMost = 2_000;

function countKinds(versions: readonly DiscoveredVersion[]): number {
  return versions.reduce((sum, { kinds }) => sum + kinds.length, 0);
}

function tooMany(kinds: number): Failure {
  return failure({
    type: 'protocol',
    message: `it serves ${countOf(kinds, 'kind')} to read, too many for one cluster`,
  });
}

const tooManyGroups = failure({
  type: 'protocol',
  message: `it serves more than ${formatCount(groupVersionsAtMost)} versions of API groups`,
});
const nothing = { kinds: [], unread: [], misnamed: 0 };
const tooLarge = failure({ type: 'protocol', message: 'the discovery document is too large' });
const notUnderstood = failure({ type: 'protocol', message: '/apis is neither aggregated nor older discovery' });
