import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { brokenKubeconfigs, defaultKubeconfigs, type KubeContext, listContexts } from '../config/kube-contexts.ts';
import { loadConfig } from '../config/load-config.ts';
import { problemLine } from '../config/problem.ts';
import { type Selection, settingOf } from '../config/process-settings.ts';
import { exitCode } from '../runtime/exit-code.ts';

/** Options of the command line for which clusters to read. */
export interface ClusterOptions {
  readonly config?: string | undefined;
  /** Names of contexts, separated by commas. */
  readonly context?: string | undefined;
  readonly allContexts?: boolean | undefined;
}

/** A selection that is known to be sound, or lines for the person and the code to exit with. */
export type Selected =
  | { readonly type: 'selected'; readonly selection: Selection }
  | { readonly type: 'refused'; readonly lines: readonly string[]; readonly code: number };

type Environment = Readonly<Record<string, string | undefined>>;

const defaultFile = 'plumbline.yaml';

/** Finds out which clusters are meant: --context, --all-contexts, --config, PLUMBLINE_CONFIG, or ./plumbline.yaml. */
export async function selectClusters(options: ClusterOptions, environment: Environment): Promise<Selected> {
  if (options.context !== undefined && options.allContexts) {
    return refuse(exitCode.usage, ['--context and --all-contexts do not go together.']);
  }
  if (options.context !== undefined || options.allContexts) {
    if (options.config !== undefined) return refuse(exitCode.usage, ['Choose by --config or by context, not by both.']);
    return ofKubeconfig(environment, (contexts) => selectContexts(options.context, contexts));
  }
  const file =
    options.config ?? settingOf(environment, 'PLUMBLINE_CONFIG') ?? (existsSync(defaultFile) ? defaultFile : undefined);
  if (file !== undefined && file !== '') return selectFile(file);
  return ofKubeconfig(environment, (contexts) => refuse(exitCode.config, howToChoose(contexts)));
}

/** Decides by the contexts of the default kubeconfig; one that cannot be read says so where it leaves none. */
async function ofKubeconfig(
  environment: Environment,
  decide: (contexts: readonly KubeContext[]) => Selected,
): Promise<Selected> {
  const files = defaultKubeconfigs(environment);
  const contexts = await listContexts(files);
  if (contexts.length > 0) return decide(contexts);
  const broken = await brokenKubeconfigs(files);
  if (broken.length > 0) return refuse(exitCode.config, broken);
  const named = settingOf(environment, 'KUBECONFIG') === undefined ? [] : files;
  const missing = named.filter((file) => !existsSync(file));
  if (missing.length === 0) return decide(contexts);
  return refuse(
    exitCode.config,
    missing.map((file) => `KUBECONFIG names ${file}, which does not exist.`),
  );
}

async function selectFile(file: string): Promise<Selected> {
  const loaded = await loadConfig(file);
  if (loaded.type === 'invalid')
    return refuse(
      exitCode.config,
      loaded.problems.map((problem) => problemLine(file, problem)),
    );
  if (loaded.config.clusters.length === 0) return refuse(exitCode.config, [`${file}: names no cluster`]);
  return { type: 'selected', selection: { type: 'file', path: resolve(file) } };
}

/** Selects contexts by name (separated by commas; undefined for all) among those that there are. */
export function selectContexts(wanted: string | undefined, contexts: readonly KubeContext[]): Selected {
  if (contexts.length === 0) {
    const sought = wanted === undefined ? [] : [`No context is called ${wanted}: the default kubeconfig has none.`];
    return refuse(exitCode.config, [...sought, ...howToChoose(contexts)]);
  }
  const names = wanted === undefined ? contexts.map((context) => context.name) : splitNames(wanted);
  if (names.length === 0) return refuse(exitCode.usage, ['--context needs at least one name.']);
  const unknown = names.filter((name) => !contexts.some((context) => context.name === name));
  if (unknown.length > 0) {
    return refuse(exitCode.config, [
      `No context is called ${unknown.join(', ')}. There are:`,
      ...contextLines(contexts),
    ]);
  }
  return { type: 'selected', selection: { type: 'contexts', names } };
}

function splitNames(list: string): readonly string[] {
  const names = list.split(',').map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ''))];
}

/** Lines for a person who has not said which clusters to watch. */
export function howToChoose(contexts: readonly KubeContext[]): readonly string[] {
  if (contexts.length === 0) {
    return [
      'No cluster is configured, and the default kubeconfig names none.',
      '',
      '  npm run demo                          a simulated fleet',
      '  npm start -- --config plumbline.yaml  clusters from a file',
    ];
  }
  const [first, second] = contexts;
  const example = [first?.name, second?.name].filter((name) => name !== undefined).join(',');
  return [
    'Which clusters? The contexts of the default kubeconfig are:',
    '',
    ...contextLines(contexts),
    '',
    `  npm start -- --context ${example}`,
    '  npm start -- --all-contexts',
    '  npm start -- --config plumbline.yaml',
  ];
}

function contextLines(contexts: readonly KubeContext[]): readonly string[] {
  const width = Math.max(...contexts.map((context) => context.name.length));
  return contexts.map(({ name, server, current, execPlugin }) => {
    const plugin = execPlugin === null ? '' : `  (runs ${execPlugin})`;
    return `  ${current ? '*' : ' '} ${name.padEnd(width)}  ${server ?? 'no cluster'}${plugin}`;
  });
}

function refuse(code: number, lines: readonly string[]): Selected {
  return { type: 'refused', lines, code };
}
