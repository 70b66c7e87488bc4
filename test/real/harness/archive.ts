import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** File contents by path as a tar archive. */
export async function tarOf(files: { readonly [path: string]: string }): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-archive-'));
  try {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
    const names = [...new Set(Object.keys(files).map((path) => path.split('/')[0] ?? path))];
    const { stdout } = await run('tar', ['-cf', '-', '-C', folder, ...names], {
      encoding: 'buffer',
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
