const minute = 60_000;

/** The clusters on which source- and kustomize-controller have been dead since before the story begins, and since when (ms). */
export function deadFromTheStart(now: number): Map<string, number> {
  return new Map([['stg-edge', now - 21 * minute]]);
}
