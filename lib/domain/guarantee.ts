import type { CurrentObject } from './current.ts';
import type { Verdict } from './verdict.ts';

/** DESIGN.md "Guarantee": the sentence, for one object. */
export type Guarantee = 'holds' | 'broken' | 'off' | 'unknown';

/** Durations of the policy in ms. */
export interface Policy {
  /** How long an object may be away before an alarm must sound. */
  readonly alarmWithin: number;
  /** Intervals without a pass after which a loop is stale. */
  readonly staleAfterIntervals: number;
  /** How long a newer artifact may wait before its applier is behind. */
  readonly behindAfter: number;
}

/** Defaults of plumbline.yaml: 15 min, 3 intervals, 10 min. */
export const defaultPolicy: Policy = { alarmWithin: 15 * 60_000, staleAfterIntervals: 3, behindAfter: 10 * 60_000 };

const away: Readonly<Record<Verdict, 'away' | 'off' | 'unknown' | 'home'>> = {
  diverged: 'away',
  drifted: 'away',
  unhealthy: 'away',
  stale: 'away',
  unobserved: 'unknown',
  suspended: 'off',
  behind: 'away',
  waiting: 'away',
  progressing: 'away',
  unconfirmed: 'unknown',
  converged: 'home',
};

/** Whether a verdict means that the object is away from git as far as is known. */
export function isAway(verdict: Verdict): boolean {
  return away[verdict] === 'away';
}

/**
 * The guarantee of one object, already as known at `now` (ms).
 * holds: converged, or away with an alarm sounding, or away for less than `alarmWithin`;
 * broken: away beyond it and silent; off: suspended; unknown: not seen, not confirmed, or away while alarms cannot be read.
 */
export function guaranteeOf(object: CurrentObject, policy: Policy, now: number): Guarantee {
  const standing = away[object.verdict];
  switch (standing) {
    case 'home':
      return 'holds';
    case 'off':
      return 'off';
    case 'unknown':
      return 'unknown';
    case 'away': {
      if (object.alarm.state === 'sounding') return 'holds';
      if (object.alarm.state === 'unknown') return 'unknown';
      const since = object.awaySince ?? object.onset;
      return now < since.time + policy.alarmWithin ? 'holds' : 'broken';
    }
  }
}

/** What the fleet's sentence is made from. All counts are of objects, as known now, except `clusters`. */
export interface GuaranteeCounts {
  readonly holds: number;
  readonly broken: number;
  readonly off: number;
  readonly unknown: number;
  readonly objects: number;
  /** Objects that are away from git, whether or not it may be said that somebody was called. */
  readonly away: number;
  /** Objects whose drift is not measured. */
  readonly notMeasurable: number;
  /** `blind`: seen, but for kinds that cannot be read there. */
  readonly clusters: {
    readonly total: number;
    readonly unseen: number;
    readonly blind: number;
    readonly away: number;
    readonly silent: number;
    readonly syncing: number;
  };
  /** Whether any alarm source is configured and readable. */
  readonly alarmsReadable: boolean;
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

/** The fleet's sentence from its counts; never better than what is known. Nothing configured is unknown, not true. */
export function guaranteeSentence(counts: GuaranteeCounts): GuaranteeSentence {
  const { clusters } = counts;
  if (clusters.total === 0) {
    return { truth: 'empty', caption, lead: '', head: 'That cannot be said: no cluster is configured.' };
  }
  if (counts.broken > 0) {
    const verb = counts.broken === 1 ? 'is' : 'are';
    return {
      truth: 'broken',
      caption,
      lead: `Not so on ${count(clusters.silent)} of ${count(clusters.total)} clusters:`,
      head: `${objects(counts.broken)} ${verb} away from git and nobody was called.`,
    };
  }
  if (clusters.syncing > 0 && counts.objects === 0) {
    return {
      truth: 'unknown',
      caption,
      lead: '',
      head: `That cannot be said yet: ${count(clusters.syncing)} of ${count(clusters.total)} clusters are being read for the first time.`,
    };
  }
  const unseen = {
    truth: 'unknown' as const,
    caption,
    lead: 'That cannot be said:',
    head: `${count(clusters.unseen)} of ${count(clusters.total)} clusters ${clusters.unseen === 1 ? 'is' : 'are'} not seen.`,
  };
  if (clusters.unseen > 0 && counts.away === 0) return unseen;
  if (counts.away > 0 && !counts.alarmsReadable) {
    const verb = counts.away === 1 ? 'is' : 'are';
    return {
      truth: 'unknown',
      caption,
      lead: `Not as in git on ${count(clusters.away)} of ${count(clusters.total)} clusters:`,
      head: `${objects(counts.away)} ${verb} away from git, and no alarms are read.`,
    };
  }
  if (clusters.unseen > 0) return unseen;
  if (counts.unknown > 0) {
    return {
      truth: 'unknown',
      caption,
      lead: 'That cannot be said:',
      head: `nothing proves it for ${count(counts.unknown)} of ${objects(counts.objects)}.`,
    };
  }
  if (clusters.blind > 0) {
    return {
      truth: 'unknown',
      caption,
      lead: 'That cannot be said:',
      head: `on ${count(clusters.blind)} of ${count(clusters.total)} clusters not every kind can be read.`,
    };
  }
  if (counts.objects === 0) {
    const where = `${count(clusters.total)} ${clusters.total === 1 ? 'cluster' : 'clusters'}`;
    return { truth: 'unknown', caption, lead: 'That cannot be said:', head: `no object is known on ${where}.` };
  }
  const measured = counts.notMeasurable > 0 ? `, ${count(counts.notMeasurable)} not measurable` : '';
  if (counts.away > 0) {
    return {
      truth: 'holds',
      caption,
      lead: '',
      head: `So it is: of ${objects(counts.objects)} ${count(counts.away)} ${counts.away === 1 ? 'is' : 'are'} away from git, and alarms are sounding or not yet due${measured}.`,
    };
  }
  return {
    truth: 'holds',
    caption,
    lead: '',
    head: `So it is, on all ${count(clusters.total)} clusters: ${objects(counts.objects)}${measured}.`,
  };
}
