/** Where a command writes. Results go to `out`, everything said to a person goes to `say`. One line each, without its end. */
export interface Output {
  out(line: string): void;
  say(line: string): void;
}

/** Standard output and standard error. */
export const terminal: Output = {
  out: (line) => void process.stdout.write(`${line}\n`),
  say: (line) => void process.stderr.write(`${line}\n`),
};
