import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommandLine } from '../program.ts';

/** Runs one command line with `environment` beside that of the test; FOLDER stands for the folder in what is given and said. */
export async function runLine(
  folder: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
) {
  const [out, said]: [string[], string[]] = [[], []];
  const plain = (line: string): string => line.replaceAll(folder, 'FOLDER');
  const full = (text: string): string => text.replaceAll('FOLDER', folder);
  const before = { ...process.env };
  for (const [name, value] of Object.entries(environment)) process.env[name] = full(value);
  try {
    const code = await runCommandLine(args.map(full), {
      out: (line) => void out.push(plain(line)),
      say: (line) => void said.push(plain(line)),
    });
    return { code, out, said };
  } finally {
    for (const name of Object.keys(environment)) {
      const value = before[name];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

/** Writes files into a folder, by their paths in it. */
export async function writeAll(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}
