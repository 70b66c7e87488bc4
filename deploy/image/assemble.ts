// Makes the root of the image out of the stage that built the pages. Runs there alone, by the Dockerfile.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { billOfMaterials } from './bill.ts';
import { isOfPackage, isOfPages, isOfPrograms } from './chosen-files.ts';
import { keptPackages, type LockedPackages, runtimePackages } from './kept-packages.ts';
import { baseDigest, provenanceOf } from './provenance.ts';
import { copySystem, systemOf } from './system-files.ts';

const user = 10_001;

/** Files of the checkout that the programs read beside the code. */
const parts: readonly string[] = ['public/plumbline.schema.json', 'package.json'];

/** Makes the image's root in `image` from the checkout in `root`. Gives its size in bytes. */
function assemble(
  root: string,
  image: string,
  origin: { readonly base: string; readonly revision: string | null },
): number {
  const home = join(image, 'plumbline');
  const node = realpathSync(process.execPath);
  const debian = copySystem(image, node);
  for (const part of parts) cpSync(join(root, part), join(home, part));
  const ofPrograms = (path: string): boolean => isOfPrograms(path, statSync(path).isDirectory());
  for (const part of ['lib', 'server'])
    cpSync(join(root, part), join(home, part), { recursive: true, filter: ofPrograms });
  cpSync(join(root, '.next'), join(home, '.next'), { recursive: true, filter: isOfPages });
  const lock = readFileSync(join(root, 'package-lock.json'));
  const { packages: locked, version } = readLock(lock.toString());
  const kept = keptPackages(locked, runtimePackages);
  for (const path of kept)
    cpSync(join(root, path), join(home, path), { recursive: true, filter: (file) => isOfPackage(path, file) });
  writeSettings(image);
  const about = join(image, 'usr/share/plumbline');
  mkdirSync(about, { recursive: true });
  const bill = {
    version,
    system: systemOf(),
    node: { version: process.versions.node, sha256: sha256(readFileSync(node)) },
    locked,
    kept,
    debian,
  };
  writeFileSync(join(about, 'sbom.cdx.json'), billOfMaterials(bill));
  const { list, bytes } = listFiles(image);
  writeFileSync(join(about, 'files.sha256'), list);
  writeFileSync(join(about, 'provenance.json'), provenanceOf({ ...origin, lock: sha256(lock), files: sha256(list) }));
  return bytes;
}

function readLock(text: string): { readonly packages: LockedPackages; readonly version: string } {
  const { packages, version } = JSON.parse(text);
  return { packages, version };
}

/** The few files by which programs know their user, find names and have a place to write. */
function writeSettings(image: string): void {
  const files = {
    'etc/passwd': `root:x:0:0:root:/:/sbin/nologin\nplumbline:x:${user}:${user}:Plumbline:/tmp:/sbin/nologin\n`,
    'etc/group': `root:x:0:\nplumbline:x:${user}:\n`,
    'etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
  };
  for (const [path, text] of Object.entries(files)) writeFileSync(join(image, path), text);
  for (const name of ['tmp', 'proc', 'dev', 'sys']) mkdirSync(join(image, name));
  chmodSync(join(image, 'tmp'), 0o1777);
  for (const path of ['etc/plumbline', 'var/lib/plumbline']) mkdirSync(join(image, path), { recursive: true });
  chownSync(join(image, 'var/lib/plumbline'), user, user);
  chmodSync(join(image, 'var/lib/plumbline'), 0o700);
}

/** Each file with its digest, as sha256sum -c reads it from the root, sorted; and what they take together. */
function listFiles(image: string): { readonly list: string; readonly bytes: number } {
  const files = readdirSync(image, { recursive: true, withFileTypes: true })
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => lstatSync(path).isFile())
    .toSorted();
  const list = files.map((path) => `${sha256(readFileSync(path))}  ${relative(image, path)}\n`).join('');
  return { list, bytes: files.reduce((sum, path) => sum + statSync(path).size, 0) };
}

function sha256(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

if (import.meta.main) {
  const [image = '/image'] = process.argv.slice(2);
  const { BASE: base = '', REVISION: revision = '' } = process.env;
  if (baseDigest(base) === null) {
    process.stderr.write(`BASE must be named by its digest, as NAME@sha256:DIGEST, and is "${base}".\n`);
    process.exitCode = 64;
  } else {
    const bytes = assemble(process.cwd(), image, { base, revision: revision === '' ? null : revision });
    process.stdout.write(`The image holds ${Math.round(bytes / 1e6)} MB.\n`);
  }
}
