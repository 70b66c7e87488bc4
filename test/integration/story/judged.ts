import type { ObjectRef } from '#lib/domain/observation/ref.ts';
/** Number judged so far: what is said is judged only where somebody reads it. */
export interface Judged {
  sentences: number;
  commits: number;
  times: number;
  numbers: number;
}

/** Nothing yet. */
export function nothingJudged(): Judged {
  return { sentences: 0, commits: 0, times: 0, numbers: 0 };
}

/** Time to be heard and judged (ms). */
export const latency = 3_000;
/** Times of the API server are whole seconds: what began at .9 is told as .0 (ms). */
export const wholeSecond = 1_000;

/** A time in ms as people read it. */
export function tell(at: number): string {
  return Number.isFinite(at) ? new Date(at).toISOString() : 'never';
}

/** The commit of a revision of git; null of any other. */
export function commitOf(revision: string | null): string | null {
  return /sha1:([0-9a-f]{40})$/.exec(revision ?? '')?.[1] ?? null;
}

/** An object as a judge names it. */
export function nameOf({ cluster, group, kind, namespace, name }: ObjectRef): string {
  return [cluster, group, kind, namespace, name].join('/');
}
