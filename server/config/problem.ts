/** One thing that is wrong with a configuration file. `line` and `column` count from 1; null where no place is to blame. */
export interface ConfigProblem {
  readonly message: string;
  readonly line: number | null;
  readonly column: number | null;
}

/** A problem as one line that terminals and editors can follow: path:line:column: message. */
export function problemLine(path: string, problem: ConfigProblem): string {
  const position = problem.line === null ? path : `${path}:${problem.line}:${problem.column ?? 1}`;
  return `${position}: ${problem.message}`;
}
