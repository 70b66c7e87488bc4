import { existsSync } from 'node:fs';
import { alarmBook, type AlarmBook } from '#lib/domain/alarm/alarm-book.ts';
import { notThereAnswer } from '#lib/api/refusals/not-there.ts';
import { extname, join } from 'node:path';
import { ReportQuery, reportFormats, type ReportFormat } from '#lib/api/report.ts';
import type { PeriodPreset } from '#lib/domain/time/report-period.ts';
import { loadConfig, parseConfig, type LoadedConfig } from '../config/load-config.ts';
import { problemLine } from '../config/problem.ts';
import { isSimulated } from '../config/simulated-mark.ts';
import { systemClock } from '../runtime/clock.ts';
import { exitCode } from '../runtime/exit-code.ts';
import { readVersion } from '../runtime/version.ts';
import { writeWhole } from '../runtime/write-whole.ts';
import { describeOpenRefusal } from '../store/port/open-refusal.ts';
import type { StoreReader } from '../store/port/port.ts';
import { openSqliteReader } from '../store/sqlite/reading/reader.ts';
import { isRefused } from '../web/http/problem.ts';
import { reportService } from '../web/report/report-service.ts';
import { reportFile } from '../web/report/report-file.ts';
import { dataDirectoryOf } from './data-directory.ts';
import type { Output } from './output.ts';
import { divided } from '../web/alarms/alarm-change.ts';
import { clustersOfRecord } from '../web/cache/clusters-of-record.ts';

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
  const chosen = formatOf(options);
  if (asked.type === 'wrong' || chosen.type === 'wrong' || origin.type === 'wrong') {
    for (const read of [asked, chosen, origin]) if (read.type === 'wrong') output.say(read.line);
    return exitCode.usage;
  }
  const loaded = await configOf(options);
  if (loaded.type === 'invalid') {
    for (const problem of loaded.problems) output.say(problemLine(options.config ?? 'plumbline.yaml', problem));
    return exitCode.config;
  }
  const directory = dataDirectoryOf(options.data, process.env);
  const store = await openSqliteReader({ path: join(directory, 'plumbline.db') });
  if ('type' in store) {
    output.say(`No report: ${describeOpenRefusal(store)}.`);
    return exitCode.unavailable;
  }
  try {
    const { policy } = loaded.config;
    const book = alarmBook();
    const desk = reportService({
      record: () => store.record,
      clusters: () => heardClusters(store, book),
      now: () => systemClock.now(),
      alarmWithin: policy.alarmWithin,
      simulated: isSimulated(directory),
      version: readVersion(),
      rules: (clusters) => book.loadedRules(clusters, systemClock.now()),
    });
    const made = await desk.report(asked.query);
    if (!isRefused(made))
      return await write(
        reportFile(made, chosen.format, origin.origin ?? loaded.config.publicUrl).lines,
        options.output,
        output,
      );
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

/** The clusters of a store; what its alarm sources tell goes into the book. */
function heardClusters(store: StoreReader, book: AlarmBook): ReturnType<typeof clustersOfRecord> {
  book.clear();
  return clustersOfRecord(store, (change) => {
    for (const news of divided([change]).ofAlarms) book.apply(news);
  });
}

async function write(lines: Iterable<string>, path: string | undefined, output: Output): Promise<number> {
  const text = [...lines].join('');
  if (path === undefined) {
    output.out(text.replace(/\r?\n$/, ''));
    return exitCode.ok;
  }
  try {
    await writeWhole(path, text);
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

function wrong(line: string): { readonly type: 'wrong'; readonly line: string } {
  return { type: 'wrong', line };
}

/** Format of a report, or a line that says why the file cannot be one. */
export type FormatChoice =
  | { readonly type: 'format'; readonly format: ReportFormat }
  | { readonly type: 'wrong'; readonly line: string };

/** The format that the ending of the file's name says; where it has none, the one that is asked for, else Markdown. */
export function formatOf({ format, output = '' }: Pick<ReportOptions, 'format' | 'output'>): FormatChoice {
  const ending = extname(output).slice(1);
  if (ending === '') return { type: 'format', format: format ?? 'md' };
  const named = reportFormats.find((name) => name === ending.toLowerCase());
  if (named === undefined)
    return wrong(`--output ${output}: a report is no .${ending} file, but one of .${reportFormats.join(', .')}.`);
  if (format !== undefined && format !== named)
    return wrong(`--output ${output} names a .${named} file, and --format asks for ${format}.`);
  return { type: 'format', format: named };
}

/** Scheme and host of where Plumbline is served, null where that is not told; or a line that says that it is no address. */
export function originOf(
  url: string | undefined,
): { readonly type: 'origin'; readonly origin: string | null } | { readonly type: 'wrong'; readonly line: string } {
  if (url === undefined) return { type: 'origin', origin: null };
  const parsed = URL.parse(url);
  return parsed !== null && /^https?:$/.test(parsed.protocol)
    ? { type: 'origin', origin: parsed.origin }
    : wrong(`--url: "${url}" is no address such as https://plumbline.example.org.`);
}
