import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { listAt, objectAt, parseForeign, textAt } from '#lib/foreign.ts';

const root = join(import.meta.dirname, '..', '..');
const settings = ['.oxlintrc.json', 'package.json', 'tsconfig.json', 'scripts/lint-rules'];

/** One complaint of the linter: the file (path from the root of the tree) and the rule, e.g. plumbline(layers). */
export interface Complaint {
  readonly file: string;
  readonly rule: string;
  readonly message: string;
}

/** Lints a small tree of files (path to source) under the project's own settings, in a folder that is removed afterwards. */
export async function lintPlanted(files: { readonly [path: string]: string }): Promise<readonly Complaint[]> {
  const tree = await mkdtemp(join(tmpdir(), 'plumbline-lint-'));
  try {
    for (const path of settings) await cp(join(root, path), join(tree, path), { recursive: true });
    await symlink(join(root, 'node_modules'), join(tree, 'node_modules'), 'dir');
    for (const [path, source] of Object.entries(files)) {
      await mkdir(dirname(join(tree, path)), { recursive: true });
      await writeFile(join(tree, path), source);
    }
    return complaintsIn(await runLinter(tree));
  } finally {
    await rm(tree, { recursive: true, force: true });
  }
}

function runLinter(tree: string): Promise<string> {
  const linter = join(root, 'node_modules', 'oxlint', 'bin', 'oxlint');
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [linter, '--type-aware', '--format', 'json'],
      { cwd: tree, maxBuffer: 1e7 },
      (error, out, err) => {
        // The linter exits with 1 where it complains; without JSON it did not run at all.
        if (out.trimStart().startsWith('{')) resolve(out);
        else reject(new Error(`oxlint did not run: ${error?.message ?? ''} ${err} ${out}`));
      },
    );
  });
}

function complaintsIn(output: string): readonly Complaint[] {
  return listAt(parseForeign(output), 'diagnostics').map((diagnostic) => ({
    file: textAt(objectAt(diagnostic), 'filename') ?? '',
    rule: textAt(objectAt(diagnostic), 'code') ?? '',
    message: textAt(objectAt(diagnostic), 'message') ?? '',
  }));
}
