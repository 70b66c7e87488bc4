const newline = 0x0a;

/** Takes the chunks of a stream; false once a line is longer than the bound (the stream is of no use any more). */
export type LineSplitter = (chunk: Buffer) => boolean;

/**
 * Cuts a stream of bytes into its lines (newline excluded, empty ones left out), decoded as UTF-8.
 * Works on bytes, so that a character cut in two by a chunk stays whole; a line within one chunk is not copied.
 */
export function lineSplitter(onLine: (line: string) => void, longest: number): LineSplitter {
  let parts: Buffer[] = [];
  let held = 0;
  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      let line: string;
      if (held === 0) {
        line = chunk.toString('utf8', start, end);
      } else {
        parts.push(chunk.subarray(start, end));
        line = Buffer.concat(parts).toString('utf8');
        parts = [];
        held = 0;
      }
      start = end + 1;
      if (line !== '') onLine(line);
    }
    if (start < chunk.length) {
      parts.push(start === 0 ? chunk : chunk.subarray(start));
      held += chunk.length - start;
    }
    return held <= longest;
  };
}
