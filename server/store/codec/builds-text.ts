import type { BuildWords } from '#lib/domain/commit/build-path.ts';
import { at, parseForeign, textAt, textsAt } from '#lib/foreign.ts';

/** The stored text of what an object says of what is built. */
export function encodeBuilds({ components, ignore }: BuildWords): string {
  return JSON.stringify({ components, ignore });
}

/** Decodes a stored text; what another version wrote is not known. */
export function decodeBuilds(text: string): BuildWords {
  const value = parseForeign(text);
  const isList = Array.isArray(at(value, 'components'));
  return { components: isList ? textsAt(value, 'components') : null, ignore: textAt(value, 'ignore') };
}
