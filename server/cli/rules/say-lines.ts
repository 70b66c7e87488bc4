import type { Output } from '../output.ts';

const mostLines = 20;

/** Says lines to a person, each with the same beginning: the first 20, and how many more there are. */
export function sayLines(output: Output, beginning: string, lines: readonly string[]): void {
  for (const line of lines.slice(0, mostLines)) output.say(`${beginning}: ${line}`);
  if (lines.length > mostLines) output.say(`and ${lines.length - mostLines} more.`);
}
