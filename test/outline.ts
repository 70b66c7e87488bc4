import { isForeignObject, type ForeignObject } from '#lib/foreign.ts';

/**
 * A JSON document as lines to keep and compare: where a part is, then all that it says of itself, whatever the order of its members.
 * With `once`, a part that stands there again is not told again.
 */
export function outline(document: unknown, { once }: { readonly once: boolean }): string {
  const places = new Map<string, string>();
  const lines = (place: string, value: unknown): readonly string[] => {
    const all = isForeignObject(value) || Array.isArray(value) ? Object.entries(value) : [];
    const parts = all.filter(([, part]) => isDeep(part));
    const text = JSON.stringify(value);
    if (parts.length === 0) return [`${place} ${text}`];
    const known = once ? places.get(text) : undefined;
    if (known !== undefined) return [`${place} as ${known}`];
    places.set(text, place);
    const plain = all.filter(([, part]) => !isDeep(part));
    return [
      ...(plain.length === 0 ? [] : [`${place} ${JSON.stringify(Object.fromEntries(plain))}`]),
      ...parts.flatMap(([name, part]) => lines(`${place}.${name.replace(/^\/api\/v1\//, '')}`, part)),
    ];
  };
  return `${lines('', inOrder(document)).join('\n')}\n`;
}

/** True if it holds more than texts, numbers and lists of these. */
function isDeep(value: unknown): value is ForeignObject | unknown[] {
  return Array.isArray(value) ? value.some((part) => typeof part === 'object') : isForeignObject(value);
}

/** The same with the members of each object, and the names of members that a schema requires, in the order of the alphabet. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isForeignObject(value)) return value;
  const members = Object.entries(value).toSorted(([a], [b]) => byName(a, b));
  return Object.fromEntries(
    members.map(([name, part]) => {
      const names = name === 'required' && Array.isArray(part) ? part.map(String).toSorted(byName) : null;
      return [name, names ?? inOrder(part)];
    }),
  );
}

function byName(a: string, b: string): number {
  return a < b ? -1 : 1;
}
