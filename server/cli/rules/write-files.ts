import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RulesFile } from './documents.ts';

/** Writes files into a folder, which it makes where it is missing: each beside its place, and then renamed, so that nobody reads a half. Throws what the system says. */
export async function writeFiles(folder: string, files: readonly RulesFile[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  const written: { readonly part: string; readonly path: string }[] = [];
  try {
    for (const { name, text } of files) {
      const path = join(folder, name);
      const part = `${path}.${process.pid}.part`;
      written.push({ part, path });
      await writeFile(part, text, { flag: 'wx' });
    }
    for (const { part, path } of written) await rename(part, path);
  } finally {
    for (const { part } of written) await rm(part, { force: true });
  }
}
