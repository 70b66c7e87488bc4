import { isForeignObject, type ForeignObject } from '#lib/foreign.ts';

/**
 * A JSON document as lines to keep and compare: where a part is, then all that it says of itself. With `once`, a part that stands there
 * again is not told again.
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
  return `${lines('', document).join('\n')}\n`;
}

/** True if it holds more than texts, numbers and lists of these. */
function isDeep(value: unknown): value is ForeignObject | unknown[] {
  return Array.isArray(value) ? value.some((part) => typeof part === 'object') : isForeignObject(value);
}
