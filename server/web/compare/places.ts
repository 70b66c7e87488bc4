import type { GitPlace } from '#server/git/port/git-reader.ts';

/** Both sides of a comparison. */
export interface Places {
  readonly left: GitPlace;
  readonly right: GitPlace;
}

/** A file of a directory. */
export function beneath({ at, path }: GitPlace, file: string): GitPlace {
  return { at, path: path === '' ? file : `${path}/${file}` };
}
