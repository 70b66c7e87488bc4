import { gatherBytes } from '#server/runtime/bytes/gathered-bytes.ts';

const newline = 0x0a;

/** Takes the chunks of a stream; gives the length (bytes) of the line that has no end yet. */
export type LineSplitter = (chunk: Buffer) => number;

/**
 * Cuts a stream of bytes into its lines (newline excluded, empty ones left out), decoded as UTF-8.
 * Works on bytes, so that a character cut in two by a chunk stays whole; a line within one chunk is not copied.
 */
export function lineSplitter(onLine: (line: string) => void): LineSplitter {
  const open = gatherBytes();
  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      let line: string;
      if (open.size() === 0) {
        line = chunk.toString('utf8', start, end);
      } else {
        open.add(chunk.subarray(start, end));
        line = open.take().toString('utf8');
      }
      start = end + 1;
      if (line !== '') onLine(line);
    }
    if (start < chunk.length) open.add(start === 0 ? chunk : chunk.subarray(start));
    return open.size();
  };
}
