import { awayWords } from '#lib/domain/guarantee-sentence.ts';
import { formatDuration } from '#lib/format/duration.ts';
import type { KnownCluster } from '../picture/known-cluster.ts';

/** What the sentence of one cluster is made from. */
type Known = Pick<KnownCluster, 'known' | 'objects' | 'guarantee' | 'away' | 'stale' | 'brokenStale' | 'alarmsHeard'>;

/** The sentence of one cluster, and whether it holds. */
export interface ClusterSentence {
  readonly truth: 'holds' | 'broken' | 'unknown';
  readonly text: string;
}

function unknown(text: string): ClusterSentence {
  return { truth: 'unknown', text };
}

/** Whether the sentence holds on one cluster, as known at `now` (ms). `hidden`: the kinds that cannot be read there. */
export function clusterSentence(known: Known, hidden: readonly string[], now: number): ClusterSentence {
  const { guarantee, away, stale } = known;
  const total = known.objects.length;
  const objects = `${total} ${total === 1 ? 'object' : 'objects'}`;
  if (known.known.state === 'connecting') return unknown('That cannot be said yet: the cluster is being connected.');
  if (known.known.state === 'declared')
    return unknown('That cannot be said: no loop reports on what is declared here.');
  if (known.known.state !== 'live') {
    return unknown(
      `That cannot be said: the cluster has not been seen for ${formatDuration(now - known.known.since)}.`,
    );
  }
  if (total === 0) return unknown('That cannot be said: no object of a reconciler has been found here yet.');
  if (guarantee.broken > 0) {
    const both = known.brokenStale > 0 && known.brokenStale < guarantee.broken;
    const silent = awayWords(guarantee.broken - known.brokenStale, known.brokenStale, total);
    return { truth: 'broken', text: `Not so: ${silent}${both ? ',' : ''} and nobody was called.` };
  }
  const unread = ' No alarm source is read: whether anybody was called cannot be said.';
  if (away > 0 && !known.alarmsHeard) return unknown(`Not as in git: ${awayWords(away, stale, total)}.${unread}`);
  if (hidden.length > 0) {
    const kinds = hidden.length > 3 ? `${hidden.length} kinds` : hidden.join(', ');
    const seen =
      away + stale === 0
        ? `Of ${objects} that ${total === 1 ? 'is' : 'are'} seen, none is away from git.`
        : `Of what is seen, ${awayWords(away, stale, total)}.`;
    return unknown(`That cannot be said: ${kinds} cannot be read here. ${seen}`);
  }
  if (stale > 0 && !known.alarmsHeard) return unknown(`That cannot be said: ${awayWords(0, stale, total)}.${unread}`);
  if (guarantee.unknown > 0) return unknown(`That cannot be said for ${guarantee.unknown} of ${objects}.`);
  if (guarantee.planned > 0) {
    const { planned } = guarantee;
    return unknown(
      `So it is but for planned work: ${planned} of ${objects} ${planned === 1 ? 'is' : 'are'} not known to be as in git.`,
    );
  }
  const some = `${awayWords(away, stale, total)}, and alarms are sounding or not yet due`;
  return { truth: 'holds', text: `So it is: ${away + stale > 0 ? some : objects}.` };
}
