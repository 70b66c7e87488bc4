import type { GroupKind } from '../../observation/ref.ts';
import type { AlarmFact } from '../fact.ts';
import type { ConditionLabel } from './rule-condition.ts';
import type { ClusterAttribution } from '../source.ts';

/** A source that was read. */
export interface CheckedSource {
  readonly name: string;
  readonly attribution: ClusterAttribution;
  readonly facts: readonly AlarmFact[];
  /** False where what it told may not be believed: nothing is said of its clusters then. */
  readonly believed: boolean;
  /** When its rules were read (ms); null where they were not. */
  readonly readAt: number | null;
  /** True where a bound cut it short: what is missing is not known to be missing. */
  readonly cut: boolean;
}

/** Objects of a kind on a cluster, which alarms must read. */
export interface CheckedKind extends GroupKind {
  readonly cluster: string;
  readonly objects: readonly { readonly namespace: string; readonly name: string }[];
  /** Conditions each of which must be alarmed on: Ready=True of a managed resource hides Synced=False. */
  readonly conditions: readonly ConditionLabel[];
}

/**
 * Gaps, the first on the way before the next. no-source: no alarm source speaks for the cluster; not-exported: no series; not-read: no rule reads them;
 * not-evaluated: the rule cannot be evaluated, or was not of late; resets: its `for` begins anew with each change of a label; late: its `for` is longer
 * than the policy; not-routed: it reaches nobody who is called; blind: its condition is not true of every fault.
 */
export const gapTypes = [
  'no-source',
  'not-exported',
  'not-read',
  'not-evaluated',
  'resets',
  'late',
  'not-routed',
  'blind',
] as const;
/** One of them. */
export type GapType = (typeof gapTypes)[number];

/** Values that the comparison rests on; ms. */
export interface CheckTerms {
  readonly alarmWithin: number;
}
