import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { listAt, objectAt, parseForeign, textAt } from '#lib/foreign.ts';
import { buildPrograms, cacheRoot } from '../build.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..', '..');

/** The image as it was built and lies unpacked in a folder, or why it was not. */
export type ImageResult =
  | {
      readonly type: 'built';
      /** Folder that is the image's root. */
      readonly files: string;
      /** The base, with its digest. */
      readonly base: string;
      readonly config: ImageConfig;
    }
  /** `byMachine`: this machine may not do what a build takes, whatever is to be had. */
  | { readonly type: 'refused'; readonly why: string; readonly byMachine: boolean };

/** Settings of an image by which a container runtime starts it. */
export interface ImageConfig {
  readonly user: string;
  readonly folder: string;
  readonly entrypoint: readonly string[];
  readonly environment: readonly string[];
}

type Say = (line: string) => void;

/** Packages of Debian that the base has: those that the Dockerfile installs, so that it finds them there, and what Node needs. */
const packages = 'ca-certificates,git,openssh-client,libatomic1,libstdc++6';

/**
 * Builds the image by its Dockerfile, without a daemon: a base is made of Debian's packages, this Node and the npm of the machine, and
 * buildah runs the steps in a chroot. Once for each state of the checkout; the base once per machine. Never throws.
 */
export async function buildImage(say: Say): Promise<ImageResult> {
  try {
    const lacking = await lackingRight();
    if (lacking !== null) return { type: 'refused', why: lacking, byMachine: true };
    const results = await buildPrograms(say, ['mmdebstrap', 'buildah']);
    const refused = [...results.values()].flatMap((result) => (result.type === 'refused' ? [result] : []));
    const [first] = refused;
    if (first !== undefined)
      return { type: 'refused', why: `${first.program} could not be installed: ${first.why}`, byMachine: false };
    return await built(say);
  } catch (failure) {
    return { type: 'refused', why: failure instanceof Error ? failure.message : 'unknown failure', byMachine: false };
  }
}

/** The right that a build takes and this machine does not give, in words; null where it gives all. */
async function lackingRight(): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'an image is built by root alone';
  const mounts = await run('unshare', ['--mount', 'true']).then(
    () => true,
    () => false,
  );
  return mounts ? null : 'this machine lets nobody mount';
}

async function built(say: Say): Promise<ImageResult> {
  const home = join(cacheRoot(), 'image');
  await mkdir(home, { recursive: true });
  const builder = builderIn(home);
  const base = await baseImage(home, builder, say);
  const tag = `localhost/plumbline:${await contextHash(base)}`;
  if (!(await builder.has(tag))) {
    say(`building the image ${tag}`);
    const began = Date.now();
    for (const old of await builder.all('localhost/plumbline')) await builder.ask(['rmi', '--force', old]);
    await builder.work([
      'bud',
      '--layers=false',
      ...(await npmCache()),
      ...['--file', join(root, 'deploy/image/Dockerfile'), '--tag', tag],
      ...['--build-arg', `BASE=${base}`, '--build-arg', `REVISION=${await revision()}`],
      root,
    ]);
    say(`built the image in ${Math.round((Date.now() - began) / 1000)} s`);
  }
  const container = await builder.container(tag);
  const files = (await builder.ask(['mount', container])).trim();
  return { type: 'built', files, base, config: configOf(await builder.ask(['inspect', '--type', 'image', tag])) };
}

/** buildah over a store of its own. */
interface Builder {
  /** Runs it and gives what it prints; throws where it fails. */
  ask(args: readonly string[]): Promise<string>;
  /** The same for what takes minutes, at the lowest priority; throws with the last lines that it said. */
  work(args: readonly string[]): Promise<void>;
  has(image: string): Promise<boolean>;
  /** Ids of all images of a name. */
  all(name: string): Promise<readonly string[]>;
  /** The container of an image, made where there is none; those of other images are removed. */
  container(image: string): Promise<string>;
}

function builderIn(home: string): Builder {
  const store = ['--root', join(home, 'storage'), '--runroot', join(home, 'run'), '--storage-driver', 'vfs'];
  const env = { ...process.env, BUILDAH_ISOLATION: 'chroot' };
  const ask = async (args: readonly string[]): Promise<string> =>
    (await run('buildah', [...store, ...args], { env, maxBuffer: 64 * 1024 * 1024 })).stdout;
  return {
    ask,
    async work(args) {
      const child = spawn('nice', ['-n', '19', 'buildah', ...store, ...args], {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let said = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (piece: Buffer) => (said = `${said}${piece.toString()}`.slice(-2_000)));
      await once(child, 'exit');
      if (child.exitCode !== 0)
        throw new Error(`buildah ${args[0]} failed: ${said.trim().split('\n').slice(-6).join(' | ')}`);
    },
    has: (image) =>
      ask(['inspect', '--type', 'image', image]).then(
        () => true,
        () => false,
      ),
    async all(name) {
      const found = await ask(['images', '--quiet', '--no-trunc', name]).catch(() => '');
      return found.split('\n').filter((id) => id !== '');
    },
    async container(image) {
      const name = `plumbline-${image.slice(image.lastIndexOf(':') + 1)}`;
      const known = (await ask(['containers', '--format', '{{.ContainerName}}']))
        .split('\n')
        .filter((one) => one !== '');
      for (const other of known) if (other !== name) await ask(['rm', other]);
      if (!known.includes(name)) await ask(['from', '--pull-never', '--name', name, image]);
      return name;
    },
  };
}

/** A Debian with Node and npm, as the official image of Node is one; gives its name with the digest. */
async function baseImage(home: string, builder: Builder, say: Say): Promise<string> {
  const npm = await npmFolder();
  const made = createHash('sha256').update([packages, process.version, npm].join('\n')).digest('hex').slice(0, 16);
  const name = `localhost/plumbline-base:${made}`;
  if (!(await builder.has(name))) {
    say('making the base of the image (mmdebstrap)');
    const archive = await debian(home, npm);
    const container = (await builder.ask(['from', 'scratch'])).trim();
    await builder.work(['add', '--quiet', container, archive, '/']);
    await builder.work(['commit', '--quiet', '--rm', container, name]);
    await rm(archive);
  }
  const [digest = ''] = (await builder.ask(['images', '--format', '{{.Digest}}', name])).trim().split('\n');
  return `localhost/plumbline-base@${digest}`;
}

/** The folder of the machine's npm, which comes with its Node and with no other. */
async function npmFolder(): Promise<string> {
  const program = (await run('sh', ['-c', 'command -v npm'])).stdout.trim();
  return dirname(dirname(await realpath(program)));
}

/** The base as an archive. It trusts whom this machine trusts, and takes packages from where this machine takes them. */
async function debian(home: string, npm: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-base-'));
  try {
    const registry = (await run('npm', ['config', 'get', 'registry'])).stdout.trim();
    const bundle = '/etc/ssl/certs/ca-certificates.crt';
    await writeFile(join(folder, 'npmrc'), `registry=${registry}\ncafile=${bundle}\n`);
    const part = join(home, `base.${process.pid}.part.tar`);
    const hooks = [
      'mkdir -p "$1"/usr/local/lib/node_modules "$1"/usr/local/etc',
      `copy-in ${process.execPath} /usr/local/bin`,
      `copy-in ${npm} /usr/local/lib/node_modules`,
      `copy-in ${join(folder, 'npmrc')} /usr/local/etc`,
      `copy-in ${bundle} /etc/ssl/certs`,
      'ln -s ../lib/node_modules/npm/bin/npm-cli.js "$1"/usr/local/bin/npm',
    ].map((hook) => `--customize-hook=${hook}`);
    const what = ['--quiet', '--variant=minbase', `--include=${packages}`, ...hooks];
    await run('nice', ['-n', '19', 'mmdebstrap', ...what, 'bookworm', part, 'http://deb.debian.org/debian']);
    const archive = join(home, 'base.tar');
    await rename(part, archive);
    return archive;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Mounts npm's cache: a package that this machine has is not loaded again. */
async function npmCache(): Promise<readonly string[]> {
  const cache = (await run('npm', ['config', 'get', 'cache'])).stdout.trim();
  const found = await stat(cache).catch(() => null);
  return found?.isDirectory() === true ? ['--volume', `${cache}:/root/.npm`] : [];
}

async function revision(): Promise<string> {
  return (await run('git', ['rev-parse', 'HEAD'], { cwd: root })).stdout.trim();
}

/** A hash of everything that the image is made of. */
async function contextHash(base: string): Promise<string> {
  const folders = '{app,components,lib,server,public,deploy/image}/**/*';
  const single = '{package.json,package-lock.json,next.config.ts,postcss.config.mjs,tsconfig.json,.dockerignore}';
  const files = globSync([folders, single], { cwd: root, exclude: (name) => name.endsWith('.test.ts') });
  const hash = createHash('sha256').update(base);
  for (const path of files.toSorted()) {
    if ((await stat(join(root, path))).isFile()) hash.update(path).update(await readFile(join(root, path)));
  }
  return hash.digest('hex').slice(0, 16);
}

function configOf(inspected: string): ImageConfig {
  const config = objectAt(parseForeign(inspected), 'OCIv1', 'config');
  const texts = (field: string) => listAt(config, field).filter((word) => typeof word === 'string');
  return {
    user: textAt(config, 'User') ?? '',
    folder: textAt(config, 'WorkingDir') ?? '',
    entrypoint: texts('Entrypoint'),
    environment: texts('Env'),
  };
}
