import type { BuildWords } from '#lib/domain/commit/build-path.ts';
import { parseForeign, textAt } from '#lib/foreign.ts';

/** The stored text of what an object says of what is built. */
export function encodeBuilds({ ignore }: BuildWords): string {
  return JSON.stringify({ ignore });
}

/** Decodes a stored text; what another version wrote is not known. */
export function decodeBuilds(text: string): BuildWords {
  return { ignore: textAt(parseForeign(text), 'ignore') };
}
