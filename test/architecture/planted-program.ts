import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** A copy of the program in a folder of its own, to plant something into. */
export interface PlantedProgram {
  readonly tree: string;
  /** Runs Node in it. `failed` tells what it wrote where it ended badly. */
  run(...args: readonly string[]): Promise<{ readonly failed: string | null; readonly out: string }>;
  /** Builds the types of these files and of what they import, by the project's own settings: what the compiler complains of, or null. */
  build(files: readonly string[]): Promise<string | null>;
  remove(): void;
}

/** Copies these paths of the project. */
export function plantProgram(copied: readonly string[]): PlantedProgram {
  const tree = mkdtempSync(join(tmpdir(), 'plumbline-planted-'));
  for (const path of [...copied, 'package.json', 'tsconfig.json'])
    cpSync(join(root, path), join(tree, path), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'), 'dir');

  const run: PlantedProgram['run'] = (...args) =>
    new Promise((resolve) => {
      execFile(process.execPath, args, { cwd: tree, maxBuffer: 1e8 }, (error, out, err) => {
        resolve({ failed: error === null ? null : `${error.message}\n${err}\n${out}`, out });
      });
    });

  return {
    tree,
    run,
    async build(files) {
      const only = {
        extends: './tsconfig.json',
        compilerOptions: { incremental: false, plugins: [], types: ['node', 'next'] },
      };
      writeFileSync(join(tree, 'planted.json'), JSON.stringify({ ...only, include: [], files }));
      return (await run(join(root, 'node_modules/typescript/bin/tsc'), '--project', 'planted.json')).failed;
    },
    remove: () => rmSync(tree, { recursive: true, force: true }),
  };
}

/** The blocks of code in a part of a guide, in their order; `from` and `to` are headings, without them all of it. */
export function codeIn(guide: string, from = '', to = '\0'): readonly string[] {
  const text = readFileSync(join(root, guide), 'utf8')
    .split(from)
    .slice(from === '' ? 0 : 1)
    .join(from);
  return [...(text.split(to)[0]?.matchAll(/```tsx?\n(.*?)```/gs) ?? [])].map(([, code]) => code ?? '');
}
