import { boundedMap } from '#server/runtime/bounded-map.ts';

/** Tells if a controller takes an object; maybe, where what is known of either does not tell. */
export type Takes = 'yes' | 'no' | 'maybe';

/** The label that says to which shard an object belongs. fluxcd.io/flux/installation/configuration/sharding */
export const shardLabel = 'sharding.fluxcd.io/key';

interface Requirement {
  readonly key: string | undefined;
  /** The values of which it must be one (or none); undefined where it is only asked whether the label is there. */
  readonly values: ReadonlySet<string | undefined> | undefined;
  readonly wanted: boolean;
}

/** Each is asked of tens of thousands of objects, one after the other. */
const parsed = boundedMap<string, readonly Requirement[] | null>(1_000, {
  of: (selector) => selector.length,
  most: 1_000_000,
});

function requirementsOf(selector: string): readonly Requirement[] | null {
  const known = parsed.get(selector);
  const found = known === undefined ? parseSelector(selector) : known;
  if (known === undefined) parsed.set(selector, found);
  return found;
}

/** The requirements of a Kubernetes label selector (=, ==, !=, in, notin, key, !key); null where it cannot be read. */
function parseSelector(text: string): readonly Requirement[] | null {
  const found: Requirement[] = [];
  // A comma within parentheses parts values, not requirements.
  for (const part of text.split(/,(?![^(]*\))/)) {
    const requirement = parseRequirement(part.trim());
    if (requirement === null) return null;
    found.push(requirement);
  }
  return found;
}

function parseRequirement(text: string): Requirement | null {
  const equal = /^([^\s!=()]+)\s*(!=|==?)\s*([^\s!=()]*)$/.exec(text);
  if (equal) return { key: equal[1], values: new Set([equal[3]]), wanted: equal[2] !== '!=' };
  const among = /^([^\s!=()]+)\s+(in|notin)\s*\(([^()]*)\)$/.exec(text);
  if (among) {
    const values = among[3]?.split(',').map((value) => value.trim());
    return { key: among[1], values: values && new Set(values), wanted: among[2] === 'in' };
  }
  const there = /^(!?)\s*([^\s!=(),]+)$/.exec(text);
  return there && { key: there[2], values: undefined, wanted: there[1] === '' };
}

/**
 * Tells if a label selector ('' for none) takes an object, of whose labels only its shard is known (null for none).
 * As Kubernetes reads it: `!=` and `notin` take objects without the label too.
 */
export function selects(selector: string, shard: string | null): Takes {
  if (selector === '') return 'yes';
  const requirements = requirementsOf(selector);
  if (requirements === null) return 'maybe';
  let takes: Takes = 'yes';
  for (const { key, values, wanted } of requirements) {
    if (key !== shardLabel) {
      takes = 'maybe';
      continue;
    }
    const meets = values === undefined ? shard !== null : shard !== null && values.has(shard);
    if (meets !== wanted) return 'no';
  }
  return takes;
}
