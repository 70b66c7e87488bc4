import type { Alarming } from './alarming/fact.ts';
import type { AlarmsUnknown } from './link.ts';
import type { AlarmSource } from './source.ts';
import type { KnownObject } from './with-alarm.ts';

/**
 * Weaknesses of alarms that stand whether or not anything is away, the worst first.
 * nobody-receives: alerts are routed to receivers that call nobody; not-routed: the alerts of a rule call nobody, because a route takes those of one
 * namespace alone; leaves-out: a rule reads a metric, and not all objects that have series of it;
 * dead-rule: it reads a metric without any series; clock-resets: its `for` begins anew at each pass; calls-once: it has one alert for all of a kind on a
 * cluster, so nobody is called anew for what leaves git later; not-evaluated: it fails, or was not evaluated of
 * late; not-loaded: a rule or a route that a cluster declares is not there, or not as it is declared; silence-outlives: a silence lasts long after what it was made for; orphan: an alert that
 * names an object that is not there.
 */
export const findingTypes = [
  'nobody-receives',
  'not-routed',
  'leaves-out',
  'dead-rule',
  'clock-resets',
  'calls-once',
  'not-evaluated',
  'not-loaded',
  'silence-outlives',
  'orphan',
] as const;

export type FindingType = (typeof findingTypes)[number];

/** One weakness of the alarms, with its mend. Times in ms since the epoch. */
export interface AlarmFinding {
  readonly type: FindingType;
  /** Name of the alarm source. */
  readonly source: string;
  /** Subject, such as the rule: "FluxReconciliationFailure". */
  readonly title: string;
  /** The fault, a sentence. */
  readonly text: string;
  /** Its mend, a sentence. */
  readonly mend: string;
  /** Since when, or when it was last so; null where that is not known. */
  readonly at: number | null;
  /** Number of objects that it concerns; null where that is not known. */
  readonly objects: number | null;
  /** Parameters of the list of objects that keep exactly these; absent where none do: then the number is not shown. */
  readonly list?: { readonly [parameter: string]: string };
  readonly alert: string | null;
  readonly rule: string | null;
}

/** Number of objects of which a step of the chain is whole, is not, and is not known to be. */
export interface ReachCount {
  readonly yes: number;
  readonly no: number;
  readonly unknown: number;
}

/**
 * Coverage of the objects of one kind on one cluster: what `reachOf` says of each, added up. Times in ms since the epoch.
 * `why`: why any of it is not known.
 */
export interface KindCoverage {
  readonly cluster: string;
  readonly group: string;
  readonly kind: string;
  readonly objects: number;
  readonly away: number;
  readonly exported: ReachCount;
  readonly ruled: ReachCount;
  readonly routed: ReachCount;
  /** Names of rules that read any of them. */
  readonly rules: readonly string[];
  /** Receivers that are called, with what they call with: "oncall (pagerduty)". */
  readonly receivers: readonly string[];
  /** When an alert for any of them fired last, as far as Plumbline saw: proof that the chain is whole up to there. */
  readonly firedAt: number | null;
  /** Objects that are away past the deadline with nobody called (guarantee `broken`, without planned work). */
  readonly silent: number;
  readonly why: AlarmsUnknown | null;
}

/** Everything of the coverage page. */
export interface AlarmCoveragePage {
  /** Why nothing at all is known: no source is configured, the moment is past; null where something is. */
  readonly unknown: AlarmsUnknown | null;
  readonly sources: readonly AlarmSource[];
  readonly kinds: readonly KindCoverage[];
  readonly findings: readonly AlarmFinding[];
  /** Those that are away past the deadline with nobody called (guarantee `broken`). */
  readonly silent: readonly KnownObject[];
}

/** The steps that the chain of one object gets to before anything happens: null where that is not known. */
export interface AlarmReach {
  /** A target exports a series of it. */
  readonly exported: boolean | null;
  /** A rule that is loaded and evaluated reads it. */
  readonly ruled: boolean | null;
  /** The alert of such a rule would be routed to a receiver that calls somebody. */
  readonly routed: boolean | null;
}

/** The steps of `AlarmReach`, in their order. */
export const reachSteps = ['exported', 'ruled', 'routed'] as const;
export type ReachStep = (typeof reachSteps)[number];

/** Nothing is known of how far a chain goes. */
export const reachUnknown: AlarmReach = { exported: null, ruled: null, routed: null };

/** A cluster and its objects, as the coverage is asked of them: as known at that moment. */
export interface CoveredCluster {
  readonly name: string;
  readonly objects: readonly KnownObject[];
  /** All that its objects say of who is called; null where that is not known. */
  readonly alarming: Alarming | null;
}
