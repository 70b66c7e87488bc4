import { dirname, resolve } from 'node:path';
import type { z } from 'zod';
import { meantWord } from '#lib/format/edit-distance.ts';
import { readBoundedFile } from '#server/runtime/bounded-file.ts';
import { checkAcross } from './check-across.ts';
import { isKubeconfig, issueWords } from './issue-words.ts';
import { missingFiles } from './missing-files.ts';
import type { ConfigProblem } from './problem.ts';
import { resolveConfig } from './resolve.ts';
import { keysAt } from './schema-keys.ts';
import { type ConfigFile, fileSchema, type PlumblineConfig } from './schema.ts';
import { readYaml } from './yaml-text.ts';
import { type YamlPositions, yamlPositions } from './yaml-position.ts';

/** A configuration, or everything that is wrong with its file, in the order of the file. */
export type LoadedConfig =
  | { readonly type: 'ok'; readonly config: PlumblineConfig }
  | { readonly type: 'invalid'; readonly problems: readonly ConfigProblem[] };

/**
 * Tells if the files that a configuration names must be there. The process that serves pages never reads them: in a pod
 * it has neither kubeconfigs nor tokens.
 */
export type NamedFiles = 'must-exist' | 'not-read';

/** Bytes; a thousand clusters with labels take some 200 KB. */
const largestFile = 4_000_000;

/** Reads and checks a configuration file. Relative paths in it count from its own folder. */
export async function loadConfig(path: string, namedFiles: NamedFiles = 'must-exist'): Promise<LoadedConfig> {
  const absolute = resolve(path);
  const read = await readBoundedFile(absolute, { most: largestFile });
  if (read.type === 'unreadable') return invalid([problem(`the file ${read.why}`, null)]);
  // What is no UTF-8 has such signs where it is decoded as that; UTF-16 always has.
  if (/[\0\uFFFD]/.test(read.text)) return invalid([problem('the file is not UTF-8', null)]);
  const folder = dirname(absolute);
  const checked = checkText(read.text);
  if (checked.type === 'invalid') return checked;
  const config = resolveConfig(checked.file, folder);
  const missing = namedFiles === 'must-exist' ? await missingFiles(config) : [];
  if (missing.length > 0)
    return invalid(missing.map(({ path: at, message }) => problem(message, checked.positions.value(at))));
  return { type: 'ok', config };
}

/** Checks the text of a configuration file that lies in `folder` (absolute), without looking for the files it names. */
export function parseConfig(text: string, folder: string): LoadedConfig {
  const checked = checkText(text);
  return checked.type === 'invalid' ? checked : { type: 'ok', config: resolveConfig(checked.file, folder) };
}

/** The place of the value at `path` in a configuration file that was read before; none where the file has changed. */
export async function placeIn(file: string, path: readonly PropertyKey[]): Promise<Omit<ConfigProblem, 'message'>> {
  const read = await readBoundedFile(resolve(file), { most: largestFile });
  const yaml = read.type === 'ok' ? readYaml(read.text) : null;
  const place = yaml?.type === 'ok' ? yamlPositions(yaml.document, yaml.lines).value(path) : null;
  return { line: place?.line ?? null, column: place?.column ?? null };
}

type CheckedText =
  | { readonly type: 'checked'; readonly file: ConfigFile; readonly positions: YamlPositions }
  | { readonly type: 'invalid'; readonly problems: readonly ConfigProblem[] };

const kubeconfigHint = 'this is a kubeconfig: name it under clusters[].kubeconfig, or use --context';

function checkText(text: string): CheckedText {
  const yaml = readYaml(text);
  if (yaml.type === 'invalid') return invalid([problem(yaml.message, yaml.position)]);
  const positions = yamlPositions(yaml.document, yaml.lines);
  const parsed = fileSchema.safeParse(yaml.content ?? {});
  if (!parsed.success && isKubeconfig(yaml.content)) return invalid([problem(kubeconfigHint, positions.value([]))]);
  if (!parsed.success)
    return invalid(parsed.error.issues.flatMap((issue) => issueProblems(issue, yaml.content, positions)));
  const across = checkAcross(parsed.data);
  if (across.length > 0) return invalid(across.map(({ path, message }) => problem(message, positions.value(path))));
  return { type: 'checked', file: parsed.data, positions };
}

function issueProblems(issue: z.core.$ZodIssue, content: unknown, positions: YamlPositions): readonly ConfigProblem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const path = [...issue.path, key];
      const meant = meantWord(key, keysAt(issue.path));
      const hint = meant === null ? '' : `: did you mean "${meant}"?`;
      return problem(`unknown key "${pathText(path)}"${hint}`, positions.key(path));
    });
  }
  const where = pathText(issue.path);
  const words = issueWords(issue, content);
  return [problem(where === '' ? words : `${where}: ${words}`, positions.value(issue.path))];
}

function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
}

function problem(message: string, position: { line: number; column: number } | null): ConfigProblem {
  return { message, line: position?.line ?? null, column: position?.column ?? null };
}

function invalid(problems: readonly ConfigProblem[]): { type: 'invalid'; problems: readonly ConfigProblem[] } {
  const inOrder = [...problems].sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
  return { type: 'invalid', problems: inOrder };
}
