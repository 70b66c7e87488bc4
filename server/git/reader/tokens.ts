/** Takes a text of git apart, piece by piece as it comes. */
export interface TokenReader {
  take(piece: Buffer): void;
}

/** Of what is longer (bytes) its beginning is told: a tree may hold a name of a hundred megabytes, and no file of such a name can be checked out. */
const longestToken = 65_536;

/** Hands out whatever ends with a 0, as latin1. Each byte is looked at once, however long it takes until one ends. */
export function readTokens(heard: (text: string) => void): TokenReader {
  let begun = '';
  const more = (piece: Buffer, from: number, to: number): string =>
    piece.toString('latin1', from, Math.min(to, from + longestToken - begun.length));
  return {
    take(piece) {
      let start = 0;
      for (let end = piece.indexOf(0); end >= 0; end = piece.indexOf(0, start)) {
        const text = begun + more(piece, start, end);
        begun = '';
        start = end + 1;
        heard(text);
      }
      begun += more(piece, start, piece.length);
    },
  };
}
