import { isForeignObject } from '#lib/foreign.ts';

/** Longest that Next reads. */
const longest = 40_000;
/** Deeper than any page is made of layouts. */
const deepest = 40;

/**
 * True of a `Next-Router-State-Tree` that Next can read: it answers 500 to any other, and writes its stack to the log (parse-and-validate-flight-router-state
 * and types in its server/app-render).
 */
export function isRouterState(header: string): boolean {
  if (header.length > longest) return false;
  try {
    const state: unknown = JSON.parse(decodeURIComponent(header));
    return isState(state, deepest);
  } catch {
    return false;
  }
}

const paramTypes: ReadonlySet<unknown> = new Set([
  ...['c', 'ci(..)(..)', 'ci(.)', 'ci(..)', 'ci(...)', 'oc', 'd', 'di(..)(..)', 'di(.)', 'di(..)', 'di(...)'],
]);
const markers: ReadonlySet<unknown> = new Set([
  ...[undefined, null, 'refetch', 'inside-shared-layout', 'metadata-only'],
]);

function isState(state: unknown, levels: number): boolean {
  if (!Array.isArray(state) || levels === 0 || state.length < 2 || state.length > 6) return false;
  const [segment, parallel, refresh, marker, hints, extra]: readonly unknown[] = state;
  return (
    isSegment(segment) &&
    isForeignObject(parallel) &&
    Object.values(parallel).every((one) => isState(one, levels - 1)) &&
    (refresh === undefined || refresh === null || isTexts(refresh, 2)) &&
    markers.has(marker) &&
    (hints === undefined || hints === null || typeof hints === 'number') &&
    (extra === undefined || typeof extra === 'string')
  );
}

function isSegment(segment: unknown): boolean {
  if (typeof segment === 'string') return true;
  if (!Array.isArray(segment) || segment.length !== 4) return false;
  const [name, key, type, siblings]: readonly unknown[] = segment;
  return isTexts([name, key], 2) && paramTypes.has(type) && (siblings === null || isTexts(siblings, null));
}

/** `count`: how many they have to be; null for any number. */
function isTexts(value: unknown, count: number | null): boolean {
  if (!Array.isArray(value)) return false;
  return (count === null || value.length === count) && value.every((one) => typeof one === 'string');
}
