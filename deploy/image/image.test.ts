import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { billOfMaterials } from './bill.ts';
import { isOfPackage, isOfPages, isOfPrograms } from './chosen-files.ts';
import { keptPackages, runtimePackages } from './kept-packages.ts';
import { baseDigest, provenanceOf } from './provenance.ts';

const root = join(import.meta.dirname, '..', '..');

describe('of what comes to the builder', () => {
  it.each([
    ['/w/server/collector/main.ts', true],
    ['/w/server/token', false],
    ['/w/server/tls.key', false],
    ['/w/lib/id_ed25519', false],
    ['/w/server/cli/check.test.ts', false],
  ])('%s comes into the image: %s', (path, comes) => {
    expect(isOfPrograms(path, false)).toBe(comes);
  });

  it('folders of tests and hidden ones do not', () => {
    const folders = ['/w/server/web', '/w/server/web/testing', '/w/server/.git', '/w/server/collector/__snapshots__'];
    expect(folders.map((path) => isOfPrograms(path, true))).toEqual([true, false, false, false]);
  });

  it('of the pages what is served, and of packages what runs', () => {
    const pages = ['.next/server/app/page.js', '.next/cache', '.next/server/app/page.js.map', '.next/BUILD_ID'];
    expect(pages.map((path) => isOfPages(`/w/${path}`))).toEqual([true, false, false, true]);
    const files = ['dist/index.js', 'dist/index.d.ts', 'dist/index.js.map', 'README.md', 'LICENSE', 'node_modules'];
    const taken = files.map((file) => isOfPackage('node_modules/zod', `/w/node_modules/zod/${file}`));
    expect(taken).toEqual([true, false, false, false, true, false]);
    expect(isOfPackage('node_modules/a/node_modules/b', '/w/node_modules/a/node_modules/b/c.js')).toBe(true);
  });
});

describe('the packages of the image', () => {
  it('are those that the programs import, with what these need', () => {
    const imported = new Set<string>();
    for (const folder of ['lib', 'server']) {
      for (const { parentPath, name } of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
        if (!name.endsWith('.ts') || name.endsWith('.test.ts') || parentPath.split('/').includes('testing')) continue;
        const text = readFileSync(join(parentPath, name), 'utf8');
        for (const [, found = ''] of text.matchAll(
          /(?:^(?:import|export) (?:[^;']*? from )?|\bimport\()'([@a-z][\w@./-]*)'/gm,
        ))
          imported.add(
            found
              .split('/')
              .slice(0, found.startsWith('@') ? 2 : 1)
              .join('/'),
          );
      }
    }
    expect([...imported].toSorted()).toEqual(runtimePackages.toSorted());
  });

  it('are found as Node finds them: the nearest above, peers too, and neither optional ones nor types', () => {
    const locked = {
      '': {},
      'node_modules/a': {
        dependencies: { b: '1', '@types/b': '1' },
        peerDependencies: { p: '1', q: '1' },
        peerDependenciesMeta: { q: { optional: true } },
      },
      'node_modules/a/node_modules/b': { dependencies: { c: '1' } },
      'node_modules/b': {},
      'node_modules/c': { dependencies: { b: '2' } },
      'node_modules/p': {},
      'node_modules/q': {},
      'node_modules/@types/b': {},
    };
    const kept = [
      'node_modules/a',
      'node_modules/a/node_modules/b',
      'node_modules/b',
      'node_modules/c',
      'node_modules/p',
    ];
    expect(keptPackages(locked, ['a'])).toEqual(kept);
    expect(() => keptPackages(locked, ['z'])).toThrow('package-lock.json has no z, which Plumbline needs');
  });
});

it('the bill names packages as scanners know them', () => {
  const bill = billOfMaterials({
    version: '1.2.3',
    system: { id: 'debian', version: '12' },
    node: { version: '26.10.0', sha256: 'ab' },
    locked: { 'node_modules/@x/y': { version: '2.0.0', integrity: 'sha512-AAEC', license: 'MIT' } },
    kept: ['node_modules/@x/y'],
    debian: [{ name: 'git', version: '1:2.39.5-0+deb12u2', architecture: 'amd64' }],
  });
  expect(JSON.parse(bill)).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    metadata: { component: { name: 'plumbline', version: '1.2.3' } },
    components: [
      { type: 'operating-system', name: 'debian' },
      { purl: 'pkg:generic/node@26.10.0', hashes: [{ alg: 'SHA-256', content: 'ab' }] },
      { purl: 'pkg:deb/debian/git@1%3A2.39.5-0%2Bdeb12u2?arch=amd64&distro=debian-12' },
      {
        name: '@x/y',
        purl: 'pkg:npm/%40x/y@2.0.0',
        hashes: [{ alg: 'SHA-512', content: '000102' }],
        licenses: [{ expression: 'MIT' }],
      },
    ],
  });
});

it('the base is named by its digest, and nothing else will do', () => {
  const digest = 'c'.repeat(64);
  expect(baseDigest(`docker.io/library/node:26-trixie-slim@sha256:${digest}`)).toEqual({
    name: 'docker.io/library/node:26-trixie-slim',
    sha256: digest,
  });
  for (const base of ['node:26-trixie-slim', '', `node@sha256:${'c'.repeat(63)}`, `no de@sha256:${digest}`])
    expect([base, baseDigest(base)]).toEqual([base, null]);
  const origin = { base: `node@sha256:${digest}`, revision: 'abc', lock: 'l', files: 'f' };
  const { subject, predicate } = JSON.parse(provenanceOf(origin));
  expect(subject).toEqual([{ name: 'usr/share/plumbline/files.sha256', digest: { sha256: 'f' } }]);
  expect(predicate.buildDefinition.resolvedDependencies).toEqual([
    { uri: 'oci://node', digest: { sha256: digest } },
    { uri: 'file:package-lock.json', digest: { sha256: 'l' } },
    { uri: 'git+plumbline', digest: { gitCommit: 'abc' } },
  ]);
  expect(() => provenanceOf({ ...origin, base: 'node:26' })).toThrow('has no digest');
});
