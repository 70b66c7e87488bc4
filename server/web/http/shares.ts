/** Bounds of something that is shared: of all of it, and of what one (`askerOf`) may have. */
export interface ShareBounds {
  readonly all: number;
  readonly ofOne: number;
}

/** Counts how much each has of something that is shared. */
export function shares({ all, ofOne }: ShareBounds) {
  const taken = new Map<string, number>();
  let sum = 0;
  return {
    /** True if there are so many more for `by`. */
    hasFor: (by: string, more: number): boolean => sum + more <= all && (taken.get(by) ?? 0) + more <= ofOne,
    /** Notes that `by` has so many more, or (below 0) fewer. */
    add(by: string, more: number): void {
      sum += more;
      const now = (taken.get(by) ?? 0) + more;
      if (now > 0) taken.set(by, now);
      else taken.delete(by);
    },
  };
}
