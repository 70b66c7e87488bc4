import type { PlannedWork } from '#lib/domain/exemption/planned-work.ts';

/** Planned work on one cluster as it was configured: from when it was known on (ms). */
export interface PlannedWindow {
  readonly from: number;
  readonly until: number;
  readonly reason: string;
}

/** When planned work ends (ms) that lasts at `at`, whatever follows it at once included; null where none lasts. */
export function plannedUntil(windows: readonly PlannedWindow[], at: number): number | null {
  let end: number | null = null;
  for (const { from, until } of windows.toSorted((a, b) => a.from - b.from))
    if (from <= (end ?? at) && until > (end ?? at)) end = until;
  return end;
}

/** Changes of a plan that was configured anew at `at` (ms): what is not configured any more ends then, what is new begins. */
export function replanned<T extends PlannedWindow>(
  windows: readonly T[],
  configured: readonly PlannedWork[],
  at: number,
): { readonly withdrawn: readonly T[]; readonly begun: readonly PlannedWindow[] } {
  const lasting = windows.filter(({ until }) => until > at);
  const withdrawn = lasting.filter((window) => !configured.some((work) => isSame(window, work)));
  const begun = configured
    .filter((work) => work.until > at && !lasting.some((window) => isSame(window, work)))
    .map(({ until, reason }) => ({ from: at, until, reason }));
  return { withdrawn, begun };
}

function isSame(a: Pick<PlannedWindow, 'until' | 'reason'>, b: Pick<PlannedWindow, 'until' | 'reason'>): boolean {
  return a.until === b.until && a.reason === b.reason;
}
