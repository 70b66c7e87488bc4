import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { checkAcross } from './check-across.ts';
import { missingFiles } from './missing-files.ts';
import type { ConfigProblem } from './problem.ts';
import { resolveConfig } from './resolve.ts';
import { type ConfigFile, fileSchema, type PlumblineConfig } from './schema.ts';
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

/** Reads and checks a configuration file. Relative paths in it count from its own folder. */
export async function loadConfig(path: string, namedFiles: NamedFiles = 'must-exist'): Promise<LoadedConfig> {
  const absolute = resolve(path);
  let text: string;
  try {
    text = await readFile(absolute, 'utf8');
  } catch (error) {
    return { type: 'invalid', problems: [{ message: unreadable(error), line: null, column: null }] };
  }
  const folder = dirname(absolute);
  const checked = checkText(text);
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

type CheckedText =
  | { readonly type: 'checked'; readonly file: ConfigFile; readonly positions: YamlPositions }
  | { readonly type: 'invalid'; readonly problems: readonly ConfigProblem[] };

function checkText(text: string): CheckedText {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    return invalid(
      document.errors.map((error) => {
        const { line, col } = lines.linePos(error.pos[0]);
        return { message: error.message, line, column: col };
      }),
    );
  }
  const positions = yamlPositions(document, lines);
  const content: unknown = document.toJS();
  const parsed = fileSchema.safeParse(content ?? {});
  if (!parsed.success) return invalid(parsed.error.issues.flatMap((issue) => issueProblems(issue, positions)));
  const across = checkAcross(parsed.data);
  if (across.length > 0) return invalid(across.map(({ path, message }) => problem(message, positions.value(path))));
  return { type: 'checked', file: parsed.data, positions };
}

function issueProblems(issue: z.core.$ZodIssue, positions: YamlPositions): readonly ConfigProblem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const path = [...issue.path, key];
      return problem(`unknown key "${pathText(path)}"`, positions.key(path));
    });
  }
  const where = pathText(issue.path);
  return [problem(where === '' ? issue.message : `${where}: ${issue.message}`, positions.value(issue.path))];
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

function unreadable(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'the file does not exist';
  if (code === 'EISDIR') return 'this is a folder, not a file';
  if (code === 'EACCES') return 'the file may not be read';
  return `the file cannot be read (${String(code)})`;
}
