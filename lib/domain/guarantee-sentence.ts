/** What the fleet's sentence is made from. All counts are of objects, as known now, except `clusters`. */
export interface GuaranteeCounts {
  readonly holds: number;
  readonly broken: number;
  readonly off: number;
  readonly unknown: number;
  /** Away or stale on clusters that are under planned work; in none of the other counts but `objects`. */
  readonly planned: number;
  readonly objects: number;
  /** Objects that are away from git, whether or not it may be said that somebody was called. */
  readonly away: number;
  /** Objects that are stale: not known to be away, not known to be as in git. */
  readonly stale: number;
  /** Those of `broken` that are stale. */
  readonly brokenStale: number;
  /** Objects whose drift is not measured. */
  readonly notMeasurable: number;
  /** `away`, `stale`: with such objects; `silent`: with broken ones; `blind`: seen, but for kinds that cannot be read there. */
  readonly clusters: {
    readonly total: number;
    readonly unseen: number;
    readonly blind: number;
    readonly away: number;
    readonly stale: number;
    readonly silent: number;
    readonly syncing: number;
    readonly planned: number;
  };
  /** Whether an alarm source speaks for anything that is away or stale. */
  readonly alarmsRead: boolean;
}

/** The head of the fleet page: state of the plumb line and the sentence in two parts (lead is emphasised). */
export interface GuaranteeSentence {
  readonly truth: 'holds' | 'broken' | 'unknown' | 'empty';
  readonly caption: string;
  readonly lead: string;
  readonly head: string;
}

const caption = 'What is in git is what is in your infrastructure, or alarms are sounding.';

function count(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

function objects(n: number): string {
  return `${count(n)} ${n === 1 ? 'object' : 'objects'}`;
}

function clustersOf(n: number): string {
  return `${count(n)} ${n === 1 ? 'cluster' : 'clusters'}`;
}

/** "2 objects are away from git and 14 are stale": what is stale is not known to be away, so it is not called that. */
export function awayWords(away: number, stale: number, total: number | null = null): string {
  const be = (n: number): string => (n === 1 ? 'is' : 'are');
  const some = (n: number): string => (total === null ? objects(n) : `${count(n)} of ${objects(total)}`);
  if (away === 0) return `${some(stale)} ${be(stale)} stale`;
  const first = `${some(away)} ${be(away)} away from git`;
  return stale === 0 ? first : `${first} and ${count(stale)} ${be(stale)} stale`;
}

/** The fleet's sentence from its counts; never better than what is known. Nothing configured is unknown, not true. */
export function guaranteeSentence(counts: GuaranteeCounts): GuaranteeSentence {
  const { clusters, away, stale } = counts;
  const unknown = (lead: string, head: string): GuaranteeSentence => ({ truth: 'unknown', caption, lead, head });
  if (clusters.total === 0) {
    return { truth: 'empty', caption, lead: '', head: 'That cannot be said: no cluster is configured.' };
  }
  if (counts.broken > 0) {
    const silent = awayWords(counts.broken - counts.brokenStale, counts.brokenStale);
    const both = counts.brokenStale > 0 && counts.brokenStale < counts.broken;
    return {
      truth: 'broken',
      caption,
      lead: `Not so on ${count(clusters.silent)} of ${clustersOf(clusters.total)}:`,
      head: `${silent}${both ? ',' : ''} and nobody was called.`,
    };
  }
  if (clusters.syncing > 0 && counts.objects === 0) {
    return unknown(
      '',
      `That cannot be said yet: ${count(clusters.syncing)} of ${clustersOf(clusters.total)} ${clusters.syncing === 1 ? 'is' : 'are'} being read for the first time.`,
    );
  }
  const cannot = 'That cannot be said:';
  if (away > 0 && !counts.alarmsRead) {
    return unknown(
      `Not as in git on ${count(clusters.away)} of ${clustersOf(clusters.total)}:`,
      `${awayWords(away, stale)}.`,
    );
  }
  if (clusters.unseen > 0) {
    const be = clusters.unseen === 1 ? 'is' : 'are';
    return unknown(cannot, `${count(clusters.unseen)} of ${clustersOf(clusters.total)} ${be} not seen.`);
  }
  if (stale > 0 && !counts.alarmsRead) {
    return unknown(cannot, `${awayWords(0, stale)} on ${count(clusters.stale)} of ${clustersOf(clusters.total)}.`);
  }
  if (counts.unknown > 0) {
    return unknown(cannot, `nothing proves it for ${count(counts.unknown)} of ${objects(counts.objects)}.`);
  }
  if (clusters.blind > 0) {
    return unknown(cannot, `on ${count(clusters.blind)} of ${clustersOf(clusters.total)} not every kind can be read.`);
  }
  if (counts.objects === 0) return unknown(cannot, `no object is known on ${clustersOf(clusters.total)}.`);
  if (counts.planned > 0) {
    const where = `${count(clusters.planned)} of ${clustersOf(clusters.total)}`;
    const be = counts.planned === 1 ? 'is' : 'are';
    return unknown(
      '',
      `So it is but for planned work on ${where}: ${objects(counts.planned)} there ${be} not known to be as in git.`,
    );
  }
  return { truth: 'holds', caption, lead: '', head: inOrder(counts) };
}

function inOrder(counts: GuaranteeCounts): string {
  const { clusters, away, stale } = counts;
  const measured = counts.notMeasurable > 0 ? `, ${count(counts.notMeasurable)} not measurable` : '';
  if (away + stale > 0) {
    return `So it is: ${awayWords(away, stale, counts.objects)}, and alarms are sounding or not yet due${measured}.`;
  }
  const all = clusters.total === 1 ? 'on the one cluster' : `on all ${count(clusters.total)} clusters`;
  return `So it is, ${all}: ${objects(counts.objects)}${measured}.`;
}
