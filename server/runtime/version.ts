import { readFileSync } from 'node:fs';
import { parseForeign, textAt } from '#lib/foreign.ts';

/** The version of Plumbline that runs, e.g. 0.1.0; "unknown" where its package.json is not there. */
export function readVersion(): string {
  try {
    const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
    return textAt(parseForeign(text), 'version') ?? 'unknown';
  } catch {
    return 'unknown';
  }
}
