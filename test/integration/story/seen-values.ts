/** Values of one field over time, as far as it was looked at. Times in ms. */
export interface SeenValues {
  /** It has this value at `now`, and may have it since the last look at `before`. */
  note(value: string | null, before: number, now: number): void;
  /** The values that it may have had at some time from one moment to another. */
  within(from: number, to: number): ReadonlySet<string | null>;
  /** Every value that replaced another, oldest first: it did so at some time between the two moments. */
  changes(): readonly { readonly value: string | null; readonly after: number; readonly by: number }[];
}

/** Starts with nothing seen. */
export function seenValues(): SeenValues {
  const seen: { value: string | null; after: number; by: number }[] = [];
  return {
    note(value, before, now) {
      if (seen.length === 0 || seen.at(-1)?.value !== value) seen.push({ value, after: before, by: now });
    },
    within: (from, to) =>
      new Set(
        seen
          .filter(({ after }, index) => after <= to && (seen[index + 1]?.by ?? Infinity) >= from)
          .map(({ value }) => value),
      ),
    changes: () => seen.slice(1),
  };
}
