import { legibleInTerminal, legibleLine } from '#lib/domain/observation/legible.ts';

/** Where a command writes. Results go to `out`, everything said to a person goes to `say`. One line each, without its end. */
export interface Output {
  out(line: string): void;
  say(line: string): void;
  /** Shows how far something is, in place of what was shown before; null takes it away. Absent where nobody watches a terminal. */
  readonly status?: (text: string | null) => void;
}

/** Parts of the process that output needs: its two streams. */
interface Streams {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number };
}

const clearLine = '\r\u001B[2K';

/**
 * Standard output and standard error. On a terminal the status has the last line to itself. Nothing that is written moves the cursor or
 * hides, whoever it is from.
 */
export function terminalOutput({ stdout, stderr }: Streams): Output {
  let shown: string | null = null;

  function clear(): void {
    if (shown !== null) stderr.write(clearLine);
    shown = null;
  }

  const lines: Output = {
    out(line) {
      clear();
      stdout.write(`${legibleInTerminal(line)}\n`);
    },
    say(line) {
      clear();
      stderr.write(`${legibleInTerminal(line)}\n`);
    },
  };
  if (stderr.isTTY !== true) return lines;
  return {
    ...lines,
    status(text) {
      if (text === shown) return;
      clear();
      if (text === null) return;
      // A line that wraps could not be taken away again.
      stderr.write(legibleLine(text).slice(0, (stderr.columns ?? 80) - 1));
      shown = text;
    },
  };
}
