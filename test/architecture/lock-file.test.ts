import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { booleanAt, objectAt, parseForeign, textAt } from '#lib/foreign.ts';

const root = join(import.meta.dirname, '..', '..');
const lock = objectAt(parseForeign(readFileSync(join(root, 'package-lock.json'), 'utf8')), 'packages');
const manifest = parseForeign(readFileSync(join(root, 'package.json'), 'utf8'));

it('holds the packages of every platform, or npm ci refuses it: lock from a registry that has them all', () => {
  const asked = Object.values(lock).flatMap((entry) => Object.keys(objectAt(entry, 'optionalDependencies')));
  const held = new Set(Object.keys(lock).map((path) => path.slice(path.lastIndexOf('node_modules/') + 13)));
  expect(asked.length).toBeGreaterThan(50);
  expect(asked.filter((name) => !held.has(name))).toEqual([]);
});

it('says of every package what its archive must be: without integrity npm installs whatever it is sent', () => {
  // What lies inside of another package's archive is held by that archive's.
  const own = Object.entries(lock).filter(([path, entry]) => path !== '' && booleanAt(entry, 'inBundle') !== true);
  expect(own.length).toBeGreaterThan(400);
  expect(
    own.filter(([, entry]) => textAt(entry, 'integrity')?.startsWith('sha512-') !== true).map(([path]) => path),
  ).toEqual([]);
});

it('names no registry: everybody installs from their own', () => {
  expect(Object.entries(lock).filter(([, entry]) => textAt(entry, 'resolved') !== null)).toEqual([]);
});

it.each(['dependencies', 'devDependencies', 'optionalDependencies'])('pins all %s exactly', (kind) => {
  const versions = Object.entries(objectAt(manifest, kind));
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(String(version)))).toEqual([]);
});
