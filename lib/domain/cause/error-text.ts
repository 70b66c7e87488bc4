const clauseLimit = 90;

/** Error of a managed resource in few words: where it failed, and the cloud's own code where it gives one. */
export function errorText(message: string): string {
  const line = message.split('\n')[0] ?? '';
  const code = /\b(?:api error|error code:?|code=)\s*"?([A-Z]\w+)/.exec(line)?.[1];
  if (code) return `${line.split(':')[0] ?? ''}: ${code}`;
  return line.length > clauseLimit ? `${line.slice(0, clauseLimit - 1)}…` : line;
}
