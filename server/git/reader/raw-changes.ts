import { readTokens, type TokenReader } from './tokens.ts';

/** One file that a commit changes. Modes are octal, '000000' where it is not there; `path` is raw. */
export interface RawChange {
  readonly modeBefore: string;
  readonly mode: string;
  readonly idBefore: string;
  readonly id: string;
  /** A, D, M or T. */
  readonly status: string;
  readonly path: string;
}

/** Takes what `git diff-tree --stdin --raw -z` says apart, and hands out at once what it finds: a commit's hash, then each of its changes. */
export function readRawChanges(heard: {
  readonly onCommit: (sha: string) => void;
  readonly onChange: (change: RawChange) => void;
}): TokenReader {
  let about: readonly string[] | null = null;
  return readTokens((text) => {
    if (about !== null) {
      const [modeBefore = '', mode = '', idBefore = '', id = '', status = ''] = about;
      heard.onChange({ modeBefore, mode, idBefore, id, status, path: text });
      about = null;
    } else if (text.startsWith(':')) about = text.slice(1).split(' ');
    else heard.onCommit(text);
  });
}
