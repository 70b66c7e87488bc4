import { existsSync } from 'node:fs';
import { notThereAnswer } from '#lib/api/not-there.ts';
import { writeFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { ReportQuery, reportFormats, type ReportFormat } from '#lib/api/report.ts';
import type { PeriodPreset } from '#lib/domain/time/report-period.ts';
import { loadConfig, parseConfig, type LoadedConfig } from '../config/load-config.ts';
import { problemLine } from '../config/problem.ts';
import { isSimulated } from '../config/simulated-mark.ts';
import { systemClock } from '../runtime/clock.ts';
import { exitCode } from '../runtime/exit-code.ts';
import { readVersion } from '../runtime/version.ts';
import { describeOpenRefusal } from '../store/port/open-refusal.ts';
import type { StoreReader } from '../store/port/port.ts';
import { openSqliteReader } from '../store/sqlite/reading/reader.ts';
import { createFleetCache } from '../web/cache/fleet-cache.ts';
import { isRefused } from '../web/http/problem.ts';
import { reportService } from '../web/report/report-service.ts';
import { reportFile } from '../web/report/report-file.ts';
import type { Output } from './output.ts';
import { defaultData } from './start.ts';

/** Options of `plumbline report`. */
export interface ReportOptions {
  readonly config?: string | undefined;
  readonly data?: string | undefined;
  readonly period?: PeriodPreset | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** fleet, cluster:a,b, label:key=value, kind:group/Kind; any number of them. */
  readonly scope?: readonly string[] | undefined;
  readonly format?: ReportFormat | undefined;
  readonly output?: string | undefined;
  /** Where Plumbline is served, for links. */
  readonly url?: string | undefined;
}

/** Report that the command line asks for, or a line that says what of it cannot be read. */
type Asked =
  | { readonly type: 'asked'; readonly query: ReportQuery }
  | { readonly type: 'wrong'; readonly line: string };

/** `plumbline report`: makes a report from the store alone, whether Plumbline runs or not. Gives the exit code. */
export async function report(options: ReportOptions, output: Output): Promise<number> {
  const asked = askedOf(options);
  const origin = originOf(options.url);
  if (asked.type === 'wrong' || origin === undefined) {
    output.say(
      asked.type === 'wrong'
        ? asked.line
        : `--url: "${options.url}" is no address such as https://plumbline.example.org.`,
    );
    return exitCode.usage;
  }
  const loaded = await configOf(options);
  if (loaded.type === 'invalid') {
    for (const problem of loaded.problems) output.say(problemLine(options.config ?? 'plumbline.yaml', problem));
    return exitCode.config;
  }
  const directory = resolve(options.data ?? process.env['PLUMBLINE_DATA'] ?? defaultData);
  const store = await openSqliteReader({ path: join(directory, 'plumbline.db') });
  if ('type' in store) {
    output.say(`No report: ${describeOpenRefusal(store)}.`);
    return exitCode.unavailable;
  }
  try {
    const { policy } = loaded.config;
    const desk = reportService({
      record: () => store.record,
      clusters: () => clustersIn(store),
      now: () => systemClock.now(),
      alarmWithin: policy.alarmWithin,
      simulated: isSimulated(directory),
      version: readVersion(),
    });
    const made = await desk.report(asked.query);
    if (!isRefused(made)) return await write(reportFile(made, formatOf(options), origin).lines, options.output, output);
    const { refused } = made;
    if (refused.type === 'bad-parameter') {
      output.say(`--${refused.name} ${refused.message}.`);
      return exitCode.usage;
    }
    if (refused.type === 'not-there') {
      output.say(`No report: ${notThereAnswer(refused.names)}`);
      return exitCode.usage;
    }
    output.say(`No report: the store in ${directory} cannot be read.`);
    return exitCode.unavailable;
  } finally {
    await store.close();
  }
}

async function write(lines: Iterable<string>, path: string | undefined, output: Output): Promise<number> {
  const text = [...lines].join('');
  if (path === undefined) {
    output.out(text.replace(/\r?\n$/, ''));
    return exitCode.ok;
  }
  try {
    await writeFile(path, text);
    return exitCode.ok;
  } catch (error) {
    output.say(`No report: ${path} cannot be written: ${error instanceof Error ? error.message : String(error)}.`);
    return exitCode.unavailable;
  }
}

/** The policy of the configuration, where there is one; the clusters in it are not looked at. */
async function configOf({ config }: ReportOptions): Promise<LoadedConfig> {
  const named = config ?? process.env['PLUMBLINE_CONFIG'];
  const file = named === undefined || named === '' ? (existsSync('plumbline.yaml') ? 'plumbline.yaml' : null) : named;
  return file === null ? parseConfig('', '/') : loadConfig(file, 'not-read');
}

/** Reads the period and scope that a command line asks for. */
export function askedOf({ period, from = '', to = '', scope = [] }: ReportOptions): Asked {
  const parts: Record<string, string> = { period: period ?? '', from, to };
  for (const part of scope) {
    if (part === 'fleet') continue;
    const cut = part.indexOf(':');
    const name = part.slice(0, Math.max(0, cut));
    const value = part.slice(cut + 1);
    if (value === '' || !['cluster', 'label', 'kind'].includes(name))
      return wrong(`--scope: "${part}" is none of fleet, cluster:NAME, label:KEY=VALUE, kind:GROUP/KIND.`);
    if (Object.hasOwn(parts, name)) return wrong(`--scope: ${name} is given twice; several names go with commas.`);
    parts[name] = value;
  }
  const { kind } = parts;
  if (kind !== undefined) {
    const cut = kind.lastIndexOf('/');
    parts['group'] = cut < 0 ? '-' : kind.slice(0, cut) || '-';
    parts['kind'] = kind.slice(cut + 1);
  }
  const read = ReportQuery.safeParse(parts);
  if (read.success) return { type: 'asked', query: read.data };
  const [issue] = read.error.issues;
  return wrong(`--${String(issue?.path[0] ?? 'period')} ${issue?.message ?? 'is not valid'}.`);
}

function wrong(line: string): Asked {
  return { type: 'wrong', line };
}

/** The format that is asked for, else that of the file's name, else Markdown. */
export function formatOf({ format, output }: Pick<ReportOptions, 'format' | 'output'>): ReportFormat {
  const end = extname(output ?? '')
    .slice(1)
    .toLowerCase();
  return format ?? reportFormats.find((name) => name === end) ?? 'md';
}

/** Scheme and host of where Plumbline is served; null where that is not told, undefined where it is no such address. */
function originOf(url: string | undefined): string | null | undefined {
  if (url === undefined) return null;
  const parsed = URL.parse(url);
  return parsed !== null && /^https?:$/.test(parsed.protocol) ? parsed.origin : undefined;
}

/** The clusters in a store, read in bounded steps. */
async function clustersIn(store: StoreReader) {
  const cache = createFleetCache();
  for (let cursor: string | null = null, more = true; more;) {
    const answer = await store.follow(cursor, 10_000);
    cache.apply(answer.changes);
    ({ cursor, more } = answer);
  }
  return cache.clusterCaches();
}
