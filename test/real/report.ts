import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RefusedProgram } from './build.ts';
import type { Outcome } from './book/play.ts';
import type { Situation } from './book/situation.ts';

/** Where the last lines of a run are kept for the runner, which prints them after everything else. */
export const reportFile = join(import.meta.dirname, '..', '..', 'test-results', 'real.txt');

/** Collects what a run showed and writes it as a table: situation, expected, got. */
export interface Report {
  /** Says what goes on, at once. */
  say(line: string): void;
  played(situation: Situation, outcome: Outcome): void;
  skipped(situation: Situation): void;
  refused(program: RefusedProgram): void;
  write(): Promise<void>;
}

/** Starts a report. */
export function startReport(): Report {
  const rows: string[] = [];
  const refusals: RefusedProgram[] = [];
  const notRun: string[] = [];
  let good = 0;
  let bad = 0;
  return {
    say: (line) => void process.stdout.write(`  ${line}\n`),
    played(situation, { wrong, took }) {
      if (wrong.length === 0) good += 1;
      else bad += 1;
      rows.push(
        `${wrong.length === 0 ? 'as expected' : 'NOT AS EXPECTED'}  ${Math.round(took / 1000)} s  ${situation.name}`,
        `    expected  ${situation.expected}`,
        ...(wrong.length === 0 ? ['    got       the same'] : wrong.map((line) => `    got       ${line}`)),
      );
    },
    skipped: (situation) => void notRun.push(situation.name),
    refused: (program) => void refusals.push(program),
    async write() {
      const lines = [
        '',
        ...rows,
        '',
        `${good} situations as expected, ${bad} not, ${notRun.length} not run`,
        ...refusals.map((program) => `${program.program} could not be built: ${program.why}`),
        ...(notRun.length === 0 ? [] : [`Not run: ${notRun.join('; ')}`]),
        '',
      ];
      await mkdir(join(reportFile, '..'), { recursive: true });
      await writeFile(reportFile, lines.join('\n'));
      process.stdout.write(lines.join('\n'));
    },
  };
}
