import type { ObjectRef } from '../observation/ref.ts';
import type { CurrentObject } from '../record/current.ts';
import type { Policy } from '../guarantee/guarantee.ts';
import type { LoadedRules, NamedRule } from './coverage/loaded-rules.ts';
import type { AlarmCoveragePage, AlarmReach, CoveredCluster } from './finding.ts';
import type { Labels } from './fact.ts';
import type { AlarmBy, AlarmLink, AlarmState } from './link.ts';
import type { AlarmSource } from './source.ts';

/** One link of an object's chain, in words. Times in ms since the epoch. */
export interface ChainStep {
  readonly link: AlarmLink;
  /** later: not reached, because a link before it is broken. */
  readonly state: 'whole' | 'broken' | 'later';
  /** One sentence: "Rule FluxReconciliationFailure reads it." */
  readonly text: string;
  readonly at: number | null;
}

/**
 * States of an alert. pending: its rule waits; firing: no Alertmanager has it yet; held-back: by a silence, another alert or a time interval;
 * unheard: its receivers call nobody; unknown: its Alertmanager has not looked at it yet, or does not say whether it is muted; sounding: somebody is
 * called.
 */
export const alertStates = ['pending', 'firing', 'held-back', 'unheard', 'unknown', 'sounding'] as const;

/** An alert that concerns an object. */
export interface ChainAlert {
  readonly source: string;
  readonly name: string;
  readonly by: AlarmBy;
  readonly state: (typeof alertStates)[number];
  readonly labels: { readonly [name: string]: string };
  /** When its condition became true, or where only an Alertmanager tells of it, when it began to fire (ms). */
  readonly since: number;
  /** Names of its receivers with what they call with: "oncall (pagerduty)". */
  readonly receivers: readonly string[];
}

/** The whole chain of an object, as it is known at a moment. */
export interface AlarmChain {
  readonly alarm: AlarmState;
  /** The chain that got furthest, of all rules and sources; [] where nothing is known. */
  readonly steps: readonly ChainStep[];
  readonly alerts: readonly ChainAlert[];
  /** True if more alerts may concern it than are looked at. */
  readonly isCut: boolean;
  /** Mend of the first broken link, a sentence; null where none is broken. */
  readonly mend: string | null;
  /** The oldest reading that this rests on (ms); null where there is none. */
  readonly asOf: number | null;
}

/** An alert of an Alertmanager. Times in ms since the epoch. */
export interface KnownNotice {
  /** Name of the alarm source. */
  readonly source: string;
  readonly alert: string;
  readonly labels: Labels;
  /** The cluster that it speaks of, as the source attributes it; null where it names none. */
  readonly cluster: string | null;
  readonly startsAt: number;
}

/** Alarms of the fleet as they are known: all readers ask it, at the moment at which they read. */
export interface KnownAlarms {
  /** Another number whenever an answer about the cluster may be another, but for what becomes due; never used twice in one process. */
  stamp(cluster: string, now: number): number;
  /** Alarm of an object that is as known at `now`; `alarmWithin` (ms) of the policy. */
  alarmOf(object: CurrentObject, now: number, alarmWithin: number): AlarmState;
  /** The same with all its links, for the object's page. */
  chainOf(object: CurrentObject, now: number, alarmWithin: number): AlarmChain;
  /** The farthest step of the chain of an object, away or not: what the coverage counts. null of what is not known. */
  reachOf(object: CurrentObject, now: number): AlarmReach;
  /** Alerts with a fingerprint that Alertmanagers had at the last reading. */
  noticesWith(fingerprint: string): readonly KnownNotice[];
  /** The sources, by name. */
  sources(): readonly AlarmSource[];
  /** Rules that are loaded at `now` (ms) and read objects of these clusters; null where no source evaluates rules. */
  loadedRules(clusters: ReadonlySet<string>, now: number): LoadedRules | null;
  /** Rules that read any of these objects, whether or not they are well. */
  rulesReading(objects: Iterable<ObjectRef>): readonly NamedRule[];
  /** Clusters that a source speaks for: it is configured to, or what it tells names them. */
  clustersOf(source: string): readonly string[];
  /** Coverage of these clusters, as known at `now` (ms); a part at a time, so that nobody else waits for the whole. */
  coverage(clusters: readonly CoveredCluster[], now: number, policy: Policy): Generator<undefined, AlarmCoveragePage>;
}
