import { expect, it } from 'vitest';
import { isForeignObject, type ForeignObject } from '#lib/foreign.ts';
import { apiDocument } from './answer-api.ts';

/** One line for each part of a document that stands there for the first time: where it is, then all that it says of itself. */
function outline(document: unknown): readonly string[] {
  const places = new Map<string, string>();
  const lines = (place: string, value: unknown): readonly string[] => {
    const parts = Object.entries(isForeignObject(value) || Array.isArray(value) ? value : {}).filter(([, part]) =>
      deep(part),
    );
    if (parts.length === 0) return [`${place} ${JSON.stringify(value)}`];
    const text = JSON.stringify(value);
    const known = places.get(text);
    if (known !== undefined) return [`${place} as ${known}`];
    places.set(text, place);
    const plain = Object.entries(value ?? {}).filter(([, part]) => !deep(part));
    return [
      ...(plain.length === 0 ? [] : [`${place} ${JSON.stringify(Object.fromEntries(plain))}`]),
      ...parts.flatMap(([name, part]) => lines(`${place}.${name.replace(/^\/api\/v1\//, '')}`, part)),
    ];
  };
  return lines('', document);
}

/** It holds more than texts, numbers and lists of these. */
function deep(value: unknown): value is ForeignObject | unknown[] {
  return Array.isArray(value) ? value.some((part) => typeof part === 'object') : isForeignObject(value);
}

// Scripts and generated clients are made from this document. A change that is meant is written with `vitest run -u` and read in the diff.
it('the API is the one that is kept: each path, parameter, bound, default, value and description', async () => {
  await expect(`${outline(apiDocument()).join('\n')}\n`).toMatchFileSnapshot('../../../test/fixtures/kept/openapi.txt');
});
