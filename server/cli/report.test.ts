import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WireReport } from '#lib/api/report.ts';
import { minute } from '#lib/domain/time/length.ts';
import { markSimulated } from '../config/simulated-mark.ts';
import { silentLog } from '../runtime/log.ts';
import { openSqliteWriter } from '../store/sqlite/writing/writer.ts';
import { runCommandLine } from './program.ts';
import { askedOf, formatOf } from './report.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-report-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function run(...args: readonly string[]) {
  const out: string[] = [];
  const said: string[] = [];
  const code = await runCommandLine(['report', ...args], {
    out: (line) => void out.push(line),
    say: (line) => void said.push(line),
  });
  return { code, out: out.join('\n'), said: said.join('\n') };
}

async function storeAt(name: string): Promise<string> {
  const path = join(folder, name);
  await rm(path, { recursive: true, force: true });
  await mkdir(path);
  const writer = openSqliteWriter({ path: join(path, 'plumbline.db'), log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  await writer.close();
  return path;
}

describe('plumbline report', () => {
  it('makes a report from the store alone; where nothing is recorded it says so', async () => {
    const data = await storeAt('empty');
    const { code, out } = await run('--data', data, '--from', '2026-10-01', '--to', '2026-11-01');
    expect(code).toBe(0);
    expect(out).toContain('# Drift report, October 2026');
    expect(out).toContain('There is no record of this period');
  });

  it('writes a file, in the format of its name, and says that a demo was simulated', async () => {
    const data = await storeAt('demo');
    markSimulated(data);
    const file = join(folder, 'october.json');
    const { code, out } = await run('--data', data, '--period', 'last-7-days', '--output', file);
    expect([code, out]).toEqual([0, '']);
    const report = WireReport.parse(JSON.parse(await readFile(file, 'utf8')));
    expect(report).toMatchObject({ simulated: true, recordedSince: null, alarmWithinMs: 15 * minute });
  });

  it('takes the policy from the configuration', async () => {
    const data = await storeAt('policy');
    const config = join(folder, 'plumbline.yaml');
    await writeFile(config, 'policy: { alarmWithin: 30m }\n');
    const { out } = await run('--data', data, '--config', config, '--format', 'json');
    expect(WireReport.parse(JSON.parse(out))).toMatchObject({ alarmWithinMs: 30 * minute });
  });

  it('where there is no store it says so and makes none', async () => {
    const { code, said } = await run('--data', join(folder, 'nowhere'));
    expect(code).toBe(69);
    expect(said).toMatch(/^No report: there is no store at .*nowhere/);
  });

  it.each([
    [['--period', 'last-year'], /last-month/],
    [['--from', 'monday'], /--from must be a day/],
    [['--from', '2026-10-02', '--to', '2026-10-01'], /--to must be later than from/],
    [['--to', '2026-10-01'], /--from is missing/],
    [['--scope', 'production'], /"production" is none of/],
    [['--scope', 'label:production'], /--label must be key=value/],
    [['--url', 'plumbline'], /is no address/],
    [['--format', 'pdf'], /Allowed choices/],
  ])('%j is wrong usage', async (args, message) => {
    const data = await storeAt('usage');
    const { code, said } = await run('--data', data, ...args);
    expect(code).toBe(64);
    expect(said).toMatch(message);
  });

  it('a file that cannot be written is said', async () => {
    const { code, said } = await run(
      '--data',
      await storeAt('blocked'),
      '--output',
      join(folder, 'no', 'such', 'x.md'),
    );
    expect(code).toBe(69);
    expect(said).toContain('cannot be written');
  });
});

it.each([
  [['cluster:a,b'], { cluster: 'a,b' }],
  [['label:environment=production', 'cluster:a'], { label: 'environment=production', cluster: 'a' }],
  [['kind:kustomize.toolkit.fluxcd.io/Kustomization'], { group: 'kustomize.toolkit.fluxcd.io', kind: 'Kustomization' }],
  [['fleet'], { cluster: '', label: '', kind: '' }],
  [['kind:Secret'], { group: '-', kind: 'Secret' }],
])('the scope %j is read', (scope, query) => {
  expect(askedOf({ scope })).toMatchObject({ type: 'asked', query });
});

it('the ending of the file decides the format; without one it is the one that is asked for, or Markdown', () => {
  expect(formatOf({ output: '/tmp/x.HTML' })).toEqual({ type: 'format', format: 'html' });
  expect(formatOf({ format: 'csv', output: 'x.csv' })).toEqual({ type: 'format', format: 'csv' });
  expect(formatOf({ format: 'csv', output: './reports.d/october' })).toEqual({ type: 'format', format: 'csv' });
  expect(formatOf({ format: 'json' })).toEqual({ type: 'format', format: 'json' });
  expect(formatOf({})).toEqual({ type: 'format', format: 'md' });
});

it.each([
  [['--output', 'x.pdf'], '--output x.pdf: a report is no .pdf file, but one of .json, .csv, .md, .html.'],
  [['--output', 'x.pdf', '--format', 'html'], '--output x.pdf: a report is no .pdf file, but one of'],
  [['--output', 'x.md', '--format', 'csv'], '--output x.md names a .md file, and --format asks for csv.'],
])('%j is wrong usage in one line, and nothing is written', async (args, line) => {
  const { code, out, said } = await run('--data', await storeAt('refused'), ...args);
  expect([code, out]).toEqual([64, '']);
  expect(said).toContain(line);
  expect(said.split('\n')).toHaveLength(1);
});
