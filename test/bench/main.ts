// npm run bench: what DESIGN.md "Figures to reach" promises, measured on the simulator with the product's own processes.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stopAllChildren } from './child.ts';
import type { Figure } from './figure.ts';
import { readOptions, usage, type BenchOptions } from './options.ts';
import { runBench } from './run-bench.ts';
import { record, table } from './table.ts';

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

function keep(options: BenchOptions, measured: readonly Figure[]): void {
  const { json, only, ...size } = options;
  mkdirSync(dirname(json), { recursive: true });
  const machine = { cores: availableParallelism(), node: process.version, platform: process.platform };
  const content = {
    at: new Date().toISOString(),
    machine,
    options: { ...size, only: [...only] },
    figures: measured.map(record),
  };
  writeFileSync(json, `${JSON.stringify(content, null, 2)}\n`);
}

const options = readOptions(process.argv.slice(2));
if (typeof options === 'string') {
  const asked = options === usage;
  (asked ? process.stdout : process.stderr).write(options);
  process.exit(asked ? 0 : 64);
}

const directory = mkdtempSync(join(tmpdir(), 'plumbline-bench-'));
const figures: Figure[] = [];
let ending: Promise<void> | null = null;

function end(): Promise<void> {
  ending ??= stopAllChildren().then(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
  return ending;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void end().finally(() => process.exit(130)));
}

try {
  await runBench({ options, directory, figures, say });
} catch (error) {
  if (ending === null) say(`The benchmark ended early: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  await end();
  if (figures.length > 0) {
    process.stdout.write(table(figures));
    keep(options, figures);
    say(`\nWritten to ${options.json}`);
  }
}
