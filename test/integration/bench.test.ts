// The benchmark itself, small: it tells what it has measured, also where it does not come to its end.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createFigureLog, type FigureLog } from '#test/bench/figure-log.ts';
import type { Figure } from '#test/bench/figure.ts';

const Kept = z.object({
  end: z.object({ type: z.string(), why: z.string().optional() }),
  figures: z.array(z.object({ area: z.string(), name: z.string(), value: z.number().nullable() })),
});

const directory = mkdtempSync(join(tmpdir(), 'plumbline-bench-test-'));

afterAll(() => {
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
});

/** Runs the benchmark; `hear` gets what it says as it comes. */
async function bench(
  json: string,
  args: readonly string[],
  receive: (said: string, end: () => void) => void = () => undefined,
): Promise<{ readonly code: number | null; readonly said: string; readonly table: string }> {
  const program = ['test/bench/main.ts', '--json', json, ...args];
  const child = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  let table = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    receive(said, () => void child.kill('SIGTERM'));
  });
  child.stdout.on('data', (chunk: Buffer) => (table += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, said, table };
}

function kept(json: string): z.infer<typeof Kept> {
  return Kept.parse(JSON.parse(readFileSync(json, 'utf8')));
}

describe('the benchmark', () => {
  it('measures a first sync of a fleet that is in order', async () => {
    const json = join(directory, 'whole.json');
    const { code, table } = await bench(json, [
      '--clusters',
      '2',
      '--kinds',
      '6',
      '--objects',
      '100',
      '--only',
      'sync',
    ]);
    expect(code).toBe(0);
    expect(table).toMatch(/objects converged +200 +at least 200 +reached/);
    const { end, figures } = kept(json);
    expect(end).toEqual({ type: 'whole' });
    expect(figures.find(({ name }) => name === 'everything in the store')?.value).toBeGreaterThan(0);
  });

  it('tells the alarms of a fleet, and sick sources cost nothing but what only they could tell', async () => {
    const json = join(directory, 'alarms.json');
    const size = ['--clusters', '4', '--away', '20', '--alerts', '80', '--seconds', '1'];
    const { code, said } = await bench(json, [...size, '--only', 'alarms']);
    expect(said).toContain('Two sources turn sick');
    expect(code).toBe(0);
    const figure = (of: string) => kept(json).figures.find(({ name }) => name === of)?.value ?? 0;
    expect(figure('objects that are silent')).toBeGreaterThan(0);
    expect(figure('two sources sick: a probe of web, most')).toBeGreaterThan(0);
  });

  it('keeps what it has measured when it is ended', async () => {
    const json = join(directory, 'ended.json');
    let asked = false;
    const { code, said, table } = await bench(
      json,
      ['--clusters', '2', '--kinds', '6', '--objects', '100', '--only', 'sync'],
      (received, end) => {
        if (asked || !received.includes('First full sync')) return;
        asked = true;
        end();
      },
    );
    expect(code).toBe(130);
    expect(said).toContain('The benchmark ended early: SIGTERM');
    expect(table).toContain('ceiling: read, parsed, nothing done');
    expect(kept(json).end).toEqual({ type: 'early', why: 'SIGTERM' });
    expect(kept(json).figures.find(({ name }) => name === 'JSON read by the ceiling')?.value).toBeGreaterThan(0);
  });
});

describe('the figures of a run', () => {
  const figure = (name: string): Figure => ({ area: 'A', name, value: 1, unit: 's', bar: null });
  const names = (book: FigureLog): readonly string[] => book.all().map(({ name }) => name);

  it('has what a stage came to before it failed, and nothing of it twice', async () => {
    let changes = 0;
    const book = createFigureLog(() => (changes += 1));
    book.add(figure('before'));
    const failing = book.during(
      () => [figure('so far')],
      async () => {
        expect(names(book)).toEqual(['before', 'so far']);
        throw new Error('the stage failed');
      },
    );
    await expect(failing).rejects.toThrow('the stage failed');
    expect(names(book)).toEqual(['before', 'so far']);
    expect(changes).toBe(2);
  });

  it('has only what is whole once a stage is through', async () => {
    const book = createFigureLog(() => undefined);
    const done = await book.during(
      () => [figure('so far')],
      async () => 'done',
    );
    book.add(figure(done));
    expect(names(book)).toEqual(['done']);
  });
});
