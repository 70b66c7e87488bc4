import type { BuildWords } from '#lib/domain/commit/build-path.ts';
import { at, parseForeign, textAt, textsAt } from '#lib/foreign.ts';

/** The stored text of what an object says of what is built. */
export function encodeBuilds({ components, ignore, sparse }: BuildWords): string {
  return JSON.stringify({ components, ignore, sparse });
}

/** Decodes a stored text; what another version wrote is not known. */
export function decodeBuilds(text: string): BuildWords {
  const value = parseForeign(text);
  const listAt = (name: string): string[] | null => (Array.isArray(at(value, name)) ? textsAt(value, name) : null);
  return { components: listAt('components'), ignore: textAt(value, 'ignore'), sparse: listAt('sparse') };
}
