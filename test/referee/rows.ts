// All that the record holds, as its rows are (read-rows.ts).
import { z } from 'zod';

/** Key that tells an object from all others. */
export interface RowRef {
  readonly cluster: string;
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** Where a fault lay, as far as its name goes; of an object and of a shared error the other fields are those of a reference. */
export const Cause = z.object({
  type: z.enum(['object', 'controller', 'cluster', 'feed', 'shared-error']),
  cluster: z.string().optional(),
  kind: z.string().optional(),
  namespace: z.string().optional(),
  name: z.string().optional(),
  ref: z
    .object({ cluster: z.string(), group: z.string(), kind: z.string(), namespace: z.string(), name: z.string() })
    .optional(),
  providerConfig: z
    .object({ cluster: z.string(), group: z.string(), kind: z.string(), namespace: z.string(), name: z.string() })
    .optional(),
});
export type RowCause = z.infer<typeof Cause>;

/** One verdict of one object. Times in ms since the epoch; Infinity while it lasts. */
export interface SpanRow {
  readonly id: number;
  readonly uid: string;
  readonly verdict: string;
  readonly from: number;
  readonly to: number;
  /** When it began on the cluster. */
  readonly onsetAt: number;
  readonly bound: string;
  readonly reason: string;
  readonly commit: string | null;
  readonly cause: RowCause | null;
}

/** One time away. Times in ms; Infinity while it lasts. */
export interface AbsenceRow {
  readonly id: number;
  readonly object: number;
  readonly uid: string;
  readonly openedAt: number;
  readonly bound: string;
  readonly noticedAt: number;
  readonly closedAt: number;
  readonly ended: string | null;
  readonly worst: string;
  readonly reason: string;
  readonly cause: RowCause | null;
}

/** Coverage from `at` on. `kind` is "group/kind"; null for the whole cluster. */
export interface CoverageRow {
  readonly kind: string | null;
  readonly at: number;
  readonly observed: boolean;
  /** Why not, or the state that it was in where that is not said. */
  readonly why: string;
}

/** An object with all that the record has of it, oldest first. */
export interface ObjectRows {
  readonly id: number;
  readonly ref: RowRef;
  readonly spans: readonly SpanRow[];
  readonly absences: readonly AbsenceRow[];
}

/** One change of verdict: '' for none. */
export interface ChangeOfVerdict {
  readonly ref: RowRef;
  readonly noticedAt: number;
  readonly from: string;
  readonly to: string;
}

/** One drift that was undone. */
export interface CorrectionRow {
  readonly ref: RowRef;
  readonly at: number;
  readonly certainty: string;
  readonly count: number;
}

/** One change that was noted. `ref` is null for what is of the whole cluster. */
export interface ChangeRow {
  readonly cluster: string;
  readonly ref: RowRef | null;
  readonly at: number;
  readonly noticedAt: number;
  readonly type: string;
  readonly by: string | null;
}

/** One commit on one cluster; null for what is not known. */
export interface ArrivalRow {
  readonly cluster: string;
  readonly commit: string;
  readonly offeredAt: number | null;
  readonly lastAt: number | null;
}

/** One way in which an incident stood, from `at` on. Times in ms. */
export interface StepRow {
  readonly at: number;
  readonly bound: string;
  readonly noticedAt: number;
  readonly ended: string | null;
  readonly worst: string;
  readonly reason: string;
  readonly returns: number;
  readonly objects: number;
  readonly mostObjects: number;
  readonly mostClusters: number;
  /** The row of the incident that it is part of from then on. */
  readonly mergedInto: number | null;
}

/** One object, or one lost cluster (`ref` null), in an incident. Times in ms; Infinity while it is in it. */
export interface MemberRow {
  readonly ref: RowRef | null;
  readonly cluster: string;
  readonly joinedAt: number;
  readonly from: number;
  readonly to: number;
}

/** An incident with its steps in their order, and everything that was ever in it. */
export interface IncidentRow {
  readonly id: number;
  readonly publicId: string;
  readonly steps: readonly StepRow[];
  readonly members: readonly MemberRow[];
}

/** Names that the labels of a call give; '' for a part that they do not. */
export interface CalledName {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** One call. Times in ms; Infinity while it lasts. */
export interface CallRow {
  readonly source: string;
  readonly alert: string;
  /** null where it is attributed to none. */
  readonly cluster: string | null;
  /** null where it names no object. */
  readonly names: CalledName | null;
  readonly from: number;
  readonly to: number;
}

/** From `at` (ms) on an alarm source can be read or not; it speaks for these clusters. */
export interface AlarmCoverageRow {
  readonly source: string;
  readonly at: number;
  readonly read: boolean;
  readonly clusters: readonly string[];
}

/** Why an absence (by its row) was away from `at` (ms) on; null where it was over. */
export interface FaultRow {
  readonly absence: number;
  readonly at: number;
  readonly cause: RowCause | null;
}

/** All rows of a store. `labels` are those of each cluster by its name. */
export interface RecordRows {
  readonly labels: ReadonlyMap<string, Readonly<Record<string, string>>>;
  readonly objects: readonly ObjectRows[];
  readonly incidents: readonly IncidentRow[];
  readonly coverage: ReadonlyMap<string, readonly CoverageRow[]>;
  readonly transitions: readonly ChangeOfVerdict[];
  readonly corrections: readonly CorrectionRow[];
  readonly changes: readonly ChangeRow[];
  readonly arrivals: readonly ArrivalRow[];
  readonly calls: readonly CallRow[];
  readonly alarmCoverage: readonly AlarmCoverageRow[];
  readonly faults: ReadonlyMap<number, readonly FaultRow[]>;
}
