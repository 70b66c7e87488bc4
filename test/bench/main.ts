// npm run bench: the figures of the README, measured on the simulator with the product's own processes.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stopAllChildren } from './child.ts';
import { createFigureLog } from './figure-log.ts';
import { readOptions, usage, type BenchOptions } from './options.ts';
import { runBench } from './run-bench.ts';
import { record, table } from './table.ts';

/** End of the run: whole, or why it is not. */
type End =
  | { readonly type: 'under way' }
  | { readonly type: 'whole' }
  | { readonly type: 'early'; readonly why: string };

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

const options = readOptions(process.argv.slice(2));
if (typeof options === 'string') {
  const asked = options === usage;
  (asked ? process.stdout : process.stderr).write(options);
  process.exit(asked ? 0 : 64);
}

const directory = mkdtempSync(join(tmpdir(), 'plumbline-bench-'));
let ended = false;
const book = createFigureLog(() => {
  if (!ended) keep(options, { type: 'under way' });
});

function keep({ json, only, ...size }: BenchOptions, end: End): void {
  mkdirSync(dirname(json), { recursive: true });
  const machine = { cores: availableParallelism(), node: process.version, platform: process.platform };
  const content = {
    at: new Date().toISOString(),
    end,
    machine,
    options: { ...size, only: [...only] },
    figures: book.all().map(record),
  };
  writeFileSync(json, `${JSON.stringify(content, null, 2)}\n`);
}

/** Says what was measured, whatever ended the run; the first end counts. */
async function end(how: End): Promise<void> {
  if (ended) return;
  ended = true;
  if (how.type === 'early') say(`The benchmark ended early: ${how.why}`);
  const figures = book.all();
  if (figures.length > 0 && typeof options === 'object') {
    process.stdout.write(table(figures));
    keep(options, how);
    say(`\nWritten to ${options.json}`);
  }
  await stopAllChildren();
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void end({ type: 'early', why: signal }).finally(() => process.exit(130)));
}

try {
  await runBench({ options, directory, book, say });
  await end({ type: 'whole' });
} catch (error) {
  process.exitCode = 1;
  await end({ type: 'early', why: error instanceof Error ? error.message : String(error) });
}
