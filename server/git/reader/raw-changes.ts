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

/** Takes what `git diff-tree --stdin --raw -z` says apart, piece by piece: a commit's hash, then each of its changes. */
export interface RawChangeReader {
  take(piece: Buffer): void;
}

/** A reader that hands out what it finds at once. */
export function readRawChanges(heard: {
  readonly onCommit: (sha: string) => void;
  readonly onChange: (change: RawChange) => void;
}): RawChangeReader {
  let rest: Buffer = Buffer.alloc(0);
  let about: readonly string[] | null = null;

  function token(text: string): void {
    if (about !== null) {
      const [modeBefore = '', mode = '', idBefore = '', id = '', status = ''] = about;
      heard.onChange({ modeBefore, mode, idBefore, id, status, path: text });
      about = null;
    } else if (text.startsWith(':')) about = text.slice(1).split(' ');
    else heard.onCommit(text);
  }

  return {
    take(piece) {
      const all = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
      let start = 0;
      for (let end = all.indexOf(0); end >= 0; end = all.indexOf(0, start)) {
        token(all.toString('latin1', start, end));
        start = end + 1;
      }
      rest = all.subarray(start);
    },
  };
}
