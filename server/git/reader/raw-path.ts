import { foreignWord } from '#lib/foreign-words.ts';

/*
 * A raw path is a path as git has it, each byte one character (latin1): names that are no UTF-8 stay apart, and paths are compared as
 * bytes. Nobody is told one: `pathForPeople` cleans it.
 */

const plain = /^[\x20-\x7e]*$/;

/** The raw path of a text. */
export function rawOf(text: string): string {
  return plain.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

/** A raw path as people may read it. */
export function pathForPeople(raw: string): string {
  return foreignWord(plain.test(raw) ? raw : Buffer.from(raw, 'latin1').toString('utf8'));
}

/** A path as it was asked for ("./apps/", "/apps", "apps"), raw and without its dots; null where it leads out of the repository. */
export function askedPath(text: string): string | null {
  return joined('', rawOf(text).replace(/^\/+/, ''));
}

/** A relative raw path seen from a directory; null where it leads out of the repository or is absolute. */
export function joined(directory: string, relative: string): string | null {
  if (relative.startsWith('/')) return null;
  const segments = directory === '' ? [] : directory.split('/');
  for (const segment of relative.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return null;
  }
  return segments.join('/');
}

/** The directory that holds a path; '' for the root. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
