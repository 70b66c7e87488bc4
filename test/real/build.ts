import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BuildableProgram, type PackagedProgram, type ProgramName, programNames, programs } from './programs.ts';

const run = promisify(execFile);

/** A program that is there: its binary and the folder of its CRDs (null where it brings none). */
export interface BuiltProgram {
  readonly type: 'built';
  readonly program: ProgramName;
  readonly binary: string;
  readonly crds: string | null;
}

/** A program that could not be built here: no `go`, or the module proxy refuses. */
export interface RefusedProgram {
  readonly type: 'refused';
  readonly program: ProgramName;
  readonly why: string;
}

/** Result for one program. */
export type BuildResult = BuiltProgram | RefusedProgram;

/**
 * Builds every program of the bed, or those of `only`, once per machine into the user's cache
 * (`$XDG_CACHE_HOME` or `~/.cache`, plumbline/testbed/<hash of go.mod, go.sum, own linker flags and tags>/), and tells with `say` what it does.
 * Cold it takes about 15 minutes on two cores, warm some milliseconds. Never throws: what cannot be built is `refused`.
 */
export async function buildPrograms(
  say: (line: string) => void,
  only: readonly ProgramName[] = programNames,
): Promise<ReadonlyMap<ProgramName, BuildResult>> {
  const results = new Map<ProgramName, BuildResult>();
  for (const program of programs.filter(({ name }) => only.includes(name)))
    results.set(
      program.name,
      'debian' in program ? await installProgram(program, say) : await buildProgram(program, say),
    );
  return results;
}

/** Finds a program of Debian, unpacks it, or installs its package where this is root on Debian; no service is started. */
export async function installProgram(program: PackagedProgram, say: (line: string) => void): Promise<BuildResult> {
  const { name, debian, folder = '/usr/bin' } = program;
  const installed = join(folder, program.binary ?? name);
  try {
    const binary = program.unpacked === true && !(await exists(installed)) ? await unpacked(program, say) : installed;
    if (!(await exists(binary))) {
      say(`installing ${debian}`);
      const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
      await run('apt-get', ['update', '--quiet'], { env, timeout: 180_000 });
      await run('apt-get', ['install', '--quiet', '--yes', '--no-install-recommends', debian], {
        env,
        timeout: 180_000,
      });
    }
    if (!(await exists(binary))) throw new Error(`its package brings no ${binary}`);
    return { type: 'built', program: name, binary, crds: null };
  } catch (failure) {
    const refused: RefusedProgram = { type: 'refused', program: name, why: whyOf(failure) };
    say(`refused ${name}: ${refused.why}`);
    return refused;
  }
}

/** The binary of a package that was unpacked into the user's cache, once per machine. */
async function unpacked(
  { name, debian, binary: file = name }: PackagedProgram,
  say: (line: string) => void,
): Promise<string> {
  const home = join(cacheRoot(), 'debian', debian);
  const binary = join(home, 'usr', 'bin', file);
  if (await exists(binary)) return binary;
  say(`unpacking ${debian}`);
  const part = `${home}.${process.pid}.part`;
  await mkdir(part, { recursive: true });
  try {
    // Who is not root asks the lists that the machine has.
    await run('apt-get', ['update', '--quiet'], { timeout: 180_000 }).catch(() => null);
    await run('apt-get', ['download', '--quiet', debian], { cwd: part, timeout: 180_000 });
    const archive = (await readdir(part)).find((file) => file.endsWith('.deb'));
    if (archive === undefined) throw new Error(`apt-get brings no package ${debian}`);
    await run('dpkg-deb', ['--extract', join(part, archive), part], { timeout: 60_000 });
    await rm(join(part, archive));
    await rename(part, home).catch(() => null);
  } finally {
    await rm(part, { recursive: true, force: true });
  }
  return binary;
}

async function buildProgram(program: BuildableProgram, say: (line: string) => void): Promise<BuildResult> {
  const folder = join(import.meta.dirname, 'programs', program.name);
  const cache = join(cacheRoot(), await lockHash(folder, program));
  const binary = join(cache, program.name);
  const crds = program.crds === null ? null : join(cache, 'crds');
  try {
    await mkdir(cache, { recursive: true });
    if (!(await exists(binary))) {
      say(`building ${program.name} (${program.package})`);
      const began = Date.now();
      const part = `${binary}.${process.pid}.part`;
      await go(folder, [
        'build',
        '-trimpath',
        // Nothing is inlined: a quarter less work for the compiler, and the programs are quick enough.
        '-gcflags=all=-l',
        '-ldflags',
        ['-s -w', program.linked ?? ''].join(' ').trim(),
        '-o',
        part,
        ...(program.tags === undefined ? [] : ['-tags', program.tags]),
        program.package,
      ]);
      await rename(part, binary);
      say(`built ${program.name} in ${Math.round((Date.now() - began) / 1000)} s: ${binary}`);
    }
    if (crds !== null && program.crds !== null && !(await exists(crds))) {
      await go(folder, ['mod', 'download', program.crds.module]);
      const module = (await go(folder, ['list', '-m', '-f', '{{.Dir}}', program.crds.module])).trim();
      const part = `${crds}.${process.pid}.part`;
      await mkdir(part, { recursive: true });
      const folderOfCrds = join(module, program.crds.folder);
      // Copied one by one: the module cache is read-only, and so would the copy of its folders be.
      for (const file of await readdir(folderOfCrds)) {
        if (file.endsWith('.yaml')) await writeFile(join(part, file), await readFile(join(folderOfCrds, file)));
      }
      await rename(part, crds).catch(() => rm(part, { recursive: true, force: true }));
      say(`copied the CRDs of ${program.name}: ${crds}`);
    }
    return { type: 'built', program: program.name, binary, crds };
  } catch (failure) {
    const refused: RefusedProgram = { type: 'refused', program: program.name, why: whyOf(failure) };
    say(`refused ${program.name}: ${refused.why}`);
    return refused;
  }
}

/** The cache folder of the user for programs of the bed. */
export function cacheRoot(): string {
  return join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'plumbline', 'testbed');
}

async function lockHash(folder: string, program: BuildableProgram): Promise<string> {
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum']) hash.update(await readFile(join(folder, file)));
  for (const own of [program.linked, program.tags]) if (own !== undefined) hash.update(own);
  return hash.digest('hex').slice(0, 16);
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

async function go(folder: string, args: readonly string[]): Promise<string> {
  const { stdout } = await run('go', args, {
    cwd: folder,
    maxBuffer: 64 * 1024 * 1024,
    // GOGC: the compiler collects its garbage less often, which saves another seventh of its work; its memory is short-lived.
    env: { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '-buildvcs=false -mod=readonly', GOGC: '400' },
  });
  return stdout;
}

/** The last lines of what went wrong, without the download chatter. */
function whyOf(failure: unknown): string {
  if (!(failure instanceof Error)) return 'unknown failure';
  if ('code' in failure && failure.code === 'ENOENT')
    return 'the command that brings it (go, apt-get) is not installed';
  const said = 'stderr' in failure && typeof failure.stderr === 'string' ? failure.stderr : failure.message;
  const lines = said.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('go: downloading'));
  return lines.slice(-3).join(' | ') || failure.message;
}
