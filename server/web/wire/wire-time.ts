import type { WireOnset } from '#lib/api/object.ts';
import type { PlannedWork } from '#lib/domain/exemption/planned-work.ts';
import type { Onset } from '#lib/domain/record/current.ts';

/** RFC 3339 in UTC with milliseconds. */
export function wireTime(at: number): string {
  return new Date(at).toISOString();
}

/** The same, null for null. */
export function wireTimeOrNull(at: number | null): string | null {
  return at === null ? null : wireTime(at);
}

/** An onset on the wire. */
export function wireOnset(onset: Onset): WireOnset {
  return { time: wireTime(onset.time), bound: onset.bound, noticedAt: wireTime(onset.noticedAt) };
}

/** Planned work on the wire; null for none. */
export function wirePlannedWork(work: PlannedWork | null): { readonly until: string; readonly reason: string } | null {
  return work && { until: wireTime(work.until), reason: work.reason };
}
