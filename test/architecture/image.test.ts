import { readFileSync, readdirSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const patterns = readFileSync(join(root, '.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

/** True if a file comes to the builder. As Docker reads the file: the last line that matches it, or a folder above it, decides. */
function isTaken(path: string): boolean {
  // To Docker a name that begins with a dot is one like others.
  const dotted = (text: string): string => text.replaceAll(/(^|\/)\./g, '$1dot-');
  const names = dotted(path).split('/');
  const steps = names.map((_, index) => names.slice(0, index + 1).join('/'));
  const last = patterns.findLast((line) => steps.some((step) => matchesGlob(step, dotted(line.replace(/^!/, '')))));
  return last === undefined || last.startsWith('!');
}

it.each([
  'eu-west-3.yaml',
  'kubeconfig',
  'plumbline.yaml',
  'embed-keys.yaml',
  '.env',
  '.npmrc',
  '.git/config',
  '.plumbline/data/plumbline.db',
  '.plumbline/data/links.db',
  'certs/tls.key',
  'server/tls.key',
  'server/collector/eu-west-3.kubeconfig',
  'app/.env.local',
  'lib/ca.crt',
  'public/kubeconfig.yaml',
  'node_modules/next/package.json',
  'test/fixtures/README.md',
  'server/cli/check.test.ts',
])('%s stays away from the builder', (path) => {
  expect(isTaken(path)).toBe(false);
});

it('takes everything that the programs and pages are made of', () => {
  const made = ['app', 'components', 'lib', 'public', 'server'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.test\.tsx?$|\.snap$/.test(entry.name))
      .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1)),
  );
  expect(made.length).toBeGreaterThan(900);
  const files = ['package.json', 'package-lock.json', 'next.config.ts', 'postcss.config.mjs', 'tsconfig.json', ...made];
  expect(files.filter((path) => !isTaken(path))).toEqual([]);
});
