import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listAt, parseForeign, textAt } from '#lib/foreign.ts';
import type { RefusedProgram } from './build.ts';
import type { Outcome } from './book/play.ts';
import type { Situation } from './book/situation.ts';

/** File of what could not be built, for the runner, which says it in its last lines: {refused: [{name, reason}]}. */
const refusalsFile = join(import.meta.dirname, '..', '..', '.plumbline', 'test-real.json');

/** Situation that was not played, and why. */
export interface NotRun {
  readonly name: string;
  readonly reason: string;
  /** This machine may not do what it takes, whatever is to be had: no fault of a run that checks changes. */
  readonly byMachine?: boolean;
}

/** Has the runner say in its last lines what was not run; what other test files have said so far stays. */
export async function notRun(more: readonly NotRun[]): Promise<void> {
  const before = parseForeign(await readFile(refusalsFile, 'utf8').catch(() => ''));
  const known = listAt(before, 'refused').filter((each) => !more.some(({ name }) => name === textAt(each, 'name')));
  await mkdir(join(refusalsFile, '..'), { recursive: true });
  await writeFile(refusalsFile, JSON.stringify({ refused: [...known, ...more] }));
}

/** Collects what a run showed and writes it as a table: situation, expected, got. */
export interface Report {
  /** Says what goes on, at once. */
  say(line: string): void;
  /** A situation is through, after so long (ms). */
  through(situation: Situation, took: number): void;
  /** The next line of the table. */
  played(situation: Situation, outcome: Outcome): void;
  /** A situation that cannot be played because these programs were refused. */
  skipped(situation: Situation, because: readonly RefusedProgram[]): void;
  write(): Promise<void>;
}

/** Starts a report. */
export function startReport(): Report {
  const rows: string[] = [];
  const unplayed: NotRun[] = [];
  let good = 0;
  let bad = 0;
  return {
    say: (line) => void process.stdout.write(`  ${line}\n`),
    through: ({ name }, took) => void process.stdout.write(`  played in ${Math.round(took / 1000)} s: ${name}\n`),
    played(situation, { lines, took }) {
      const fits = lines.every((line) => line.got === null);
      if (fits) good += 1;
      else bad += 1;
      rows.push(
        '',
        `${fits ? 'as expected' : 'NOT AS EXPECTED'}  ${Math.round(took / 1000)} s  ${situation.name}`,
        ...lines.flatMap(({ expected, got }) => [`    expected  ${expected}`, `    got       ${got ?? 'the same'}`]),
      );
    },
    skipped(situation, because) {
      const reason = because.map((program) => `${program.program} could not be built: ${program.why}`).join('; ');
      unplayed.push({ name: situation.name, reason });
    },
    async write() {
      const lines = [...rows, '', `${good} situations as expected, ${bad} not, ${unplayed.length} not run`, ''];
      await notRun(unplayed);
      process.stdout.write(lines.join('\n'));
    },
  };
}
