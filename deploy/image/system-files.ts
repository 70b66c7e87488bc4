import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type { DebianPackage } from './bill.ts';

/** Programs of Debian that the image runs: git, what it starts to fetch by https and ssh, and the sh by which it starts ssh. */
const programs: readonly string[] = [
  '/usr/bin/git',
  '/usr/bin/git-upload-pack',
  '/usr/lib/git-core/git-remote-https',
  '/usr/bin/ssh',
  '/bin/sh',
];

/** Files that programs open. */
const data: readonly string[] = ['/etc/ssl/certs/ca-certificates.crt', '/etc/debian_version', '/etc/os-release'];

/** Copies programs with the libraries that they load, and the files that they read, into `image`; gives the packages that these are of. */
export function copySystem(image: string, node: string): readonly DebianPackage[] {
  // As Debian has it: /bin, /lib and /lib64 are names of folders of /usr.
  for (const name of ['bin', 'lib', 'lib64']) {
    mkdirSync(join(image, 'usr', name), { recursive: true });
    symlinkSync(`usr/${name}`, join(image, name));
  }
  const libraries = [node, ...programs].flatMap(librariesOf);
  const own = [...new Set([...programs, ...libraries, ...data])];
  for (const path of own) copyNamed(path, image);
  copyTo(node, '/usr/local/bin/node', image);
  const packages = packagesOf(own);
  for (const one of packages) copyPapers(one, image);
  return packages;
}

/** Libraries that a program loads when it starts, by the paths at which the system finds them. */
function librariesOf(program: string): readonly string[] {
  const lines = execFileSync('ldd', [program], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const [, path] = /^\s*(?:\S+ => )?(\/\S+) \(0x[0-9a-f]+\)$/.exec(line) ?? [];
    if (line.includes('not found')) throw new Error(`${program}: ${line.trim()}`);
    return path === undefined ? [] : [path];
  });
}

/** Copies what a path leads to, and the last link to it. */
function copyNamed(path: string, image: string): void {
  const real = realpathSync(path);
  copyTo(real, real, image);
  const named = join(realpathSync(dirname(path)), basename(path));
  if (named === real) return;
  const link = join(image, named);
  mkdirSync(dirname(link), { recursive: true });
  if (!existsSync(link)) symlinkSync(relative(dirname(named), real), link);
}

function copyTo(from: string, to: string, image: string): void {
  mkdirSync(dirname(join(image, to)), { recursive: true });
  cpSync(from, join(image, to), { dereference: true });
}

/** Packages of Debian that brought these files, sorted by name. */
function packagesOf(paths: readonly string[]): readonly DebianPackage[] {
  const names = new Set(paths.flatMap((path) => ownersOf(path)));
  const format = '${binary:Package}\t${Version}\t${Architecture}\n';
  return [...names].toSorted().map((name) => {
    const [owner = name, version = '', architecture = ''] = dpkg('dpkg-query', ['-W', '-f', format, name])
      .trim()
      .split('\t');
    return { name: owner.replace(/:.*$/, ''), version, architecture };
  });
}

/** dpkg knows a file by the path at which its package has it, which may lie in the folder that is now a link to one of /usr. */
function ownersOf(path: string): readonly string[] {
  const real = realpathSync(path);
  const known = [...new Set([path, real, real.replace(/^\/usr\//, '/')])];
  const found = known.flatMap((name) => {
    const said = dpkg('dpkg-query', ['-S', name]);
    return said
      .split('\n')
      .flatMap((line) =>
        line.endsWith(`: ${name}`) && !line.startsWith('diversion') ? [line.slice(0, line.indexOf(':'))] : [],
      );
  });
  // The bundle of certificates is made when its package is installed.
  if (found.length === 0 && path.startsWith('/etc/ssl/')) return ['ca-certificates'];
  // Libraries that a base brings beside its packages, as for its Node, are told by the base alone.
  return found;
}

function dpkg(program: string, args: readonly string[]): string {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '';
  }
}

/** Copies the entry of a package that scanners read (as in distroless images), and its licence. */
function copyPapers({ name }: DebianPackage, image: string): void {
  const folder = join(image, 'var/lib/dpkg/status.d');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), execFileSync('dpkg-query', ['-s', name], { encoding: 'utf8' }));
  const papers = `/usr/share/doc/${name}/copyright`;
  if (existsSync(papers)) copyTo(papers, papers, image);
}

/** The system as its os-release names it. */
export function systemOf(): { readonly id: string; readonly version: string } {
  const text = readFileSync('/etc/os-release', 'utf8');
  const value = (name: string): string => new RegExp(`^${name}="?([^"\n]*)"?$`, 'm').exec(text)?.[1] ?? 'unknown';
  return { id: value('ID'), version: value('VERSION_ID') };
}
