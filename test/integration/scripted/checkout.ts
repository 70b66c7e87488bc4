import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');

/** End of a command and its output. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The last line of standard output. */
  readonly last: string;
}

/** A small checkout with the project's own scripts and tools that only pretend. */
export interface Checkout {
  write(path: string, text: string): void;
  read(path: string): string;
  /** Full path, as processes in the checkout see it. */
  path(path: string): string;
  /** Makes a symbolic link to something in the checkout. */
  link(to: string, path: string): void;
  /** The next run of the test suite reports these counts. */
  suite(name: string, counts: { readonly passed: number; readonly failed: number }): void;
  run(program: string, ...args: readonly string[]): Promise<Ended>;
  /** The same in a folder of the checkout, with more environment. */
  runIn(place: Place, program: string, ...args: readonly string[]): Promise<Ended>;
  /** From now on nothing is installed, and there is an npm that pretends to install; its calls are in `npm-ran`. */
  uninstall(): void;
  remove(): void;
}

/** Folder below the checkout and environment of a command. */
interface Place {
  readonly folder?: string;
  readonly env?: { readonly [name: string]: string };
}

/** Every tool but vitest: says its name and its arguments, and fails where a file of its name says so. */
const pretendTool = `
import { appendFileSync, existsSync } from 'node:fs';
const [, tool] = process.argv[1].replaceAll('\\\\', '/').match(/node_modules\\/([^/]+)/);
const name = [tool, ...process.argv.slice(2)].join(' ');
appendFileSync('ran', name + '\\n');
process.exit(existsSync('fails-' + tool) ? 1 : 0);
`;

const pretendBuild = `
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
appendFileSync('ran', ['next', ...process.argv.slice(2)].join(' ') + '\\n');
if (existsSync('fails-next')) { console.error('a page is broken'); process.exit(1); }
if (process.argv[2] === 'build') { mkdirSync('.next', { recursive: true }); writeFileSync('.next/BUILD_ID', 'x'); }
`;

/** Writes the report that vitest's json reporter would write. */
const pretendVitest = `
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
const suite = process.argv[process.argv.indexOf('--project') + 1];
const only = process.env.PLUMBLINE_REAL_ONLY;
appendFileSync('ran', 'vitest ' + suite + (only ? ', only ' + only : '') + '\\n');
if (existsSync('dies-' + suite)) process.exit(1);
const counts = existsSync('suite-' + suite) ? JSON.parse(readFileSync('suite-' + suite, 'utf8')) : { passed: 1, failed: 0 };
const file = process.cwd() + (suite === 'real' ? '/test/real/real.test.ts' : '/a.test.ts');
const results = (status, count) => Array.from({ length: count }, (_, number) => {
  const title = 'chapter-' + status + ': ' + number;
  return { status, title, fullName: title };
});
const assertionResults = [...results('passed', counts.passed), ...results('failed', counts.failed), ...results('pending', 1)];
const report = { testResults: [{ name: file, status: counts.failed > 0 ? 'failed' : 'passed', assertionResults }] };
writeFileSync(process.argv.find((arg) => arg.startsWith('--outputFile.json=')).split('=')[1], JSON.stringify(report));
if (suite === 'real' && existsSync('refuse')) writeFileSync('.plumbline/test-real.json', readFileSync('refuse', 'utf8'));
process.exit(counts.failed > 0 ? 1 : 0);
`;

/** Says what npm says, and writes the list that npm writes last. Without dev it leaves out what is for work. */
const pretendNpm = `#!/usr/bin/env node
const { appendFileSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
appendFileSync('npm-ran', process.argv.slice(2).join(' ') + '\\n');
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const kept = Object.entries(packages).filter(([, entry]) => !entry.dev || process.argv.includes('--include=dev'));
mkdirSync('node_modules', { recursive: true });
writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: Object.fromEntries(kept) }));
console.log('added ' + kept.length + ' packages in 29s');
`;

const locked = {
  'node_modules/used': { version: '1.0.0', integrity: 'sha512-used' },
  'node_modules/for-work': { version: '1.0.0', integrity: 'sha512-work', dev: true },
};

const tools = {
  'node_modules/oxfmt/bin/oxfmt': pretendTool,
  'node_modules/oxlint/bin/oxlint': pretendTool,
  'node_modules/typescript/bin/tsc': pretendTool,
  'node_modules/knip/bin/knip.js': pretendTool,
  'node_modules/next/dist/bin/next': pretendBuild,
  'node_modules/vitest/vitest.mjs': pretendVitest,
};

/** Makes a checkout in a folder of its own. */
export function makeCheckout(): Checkout {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-checkout-'));
  const scripts = Object.fromEntries(
    ['test', 'test:real', 'verify', 'build', 'start', 'plumbline'].map((name) => [
      name,
      `node scripts/run.mjs ${name}`,
    ]),
  );

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }

  // The Node of this run comes first: that of the machine may be too old for what is pretended here.
  let search = `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`;

  function runIn({ folder: below = '', env = {} }: Place, program: string, ...args: readonly string[]): Promise<Ended> {
    // As from a shell: what npm tells the run of this test is not meant for the checkout.
    const { npm_execpath: _npm, npm_package_json: _package, INIT_CWD: _place, ...shell } = process.env;
    const options = { cwd: join(folder, below), env: { ...shell, PATH: search, ...env } };
    return new Promise((resolve) => {
      execFile(program, [...args], options, (error, stdout, stderr) => {
        const code = typeof error?.code === 'number' ? error.code : 0;
        resolve({ code, stdout, stderr, last: stdout.trimEnd().split('\n').at(-1) ?? '' });
      });
    });
  }

  for (const part of ['scripts', '.ci', 'plumbline'])
    cpSync(join(root, part), join(folder, part), { recursive: true, verbatimSymlinks: true });
  for (const [path, text] of Object.entries(tools)) write(path, text);
  write('package.json', JSON.stringify({ name: 'checkout', version: '1.0.0', type: 'module', private: true, scripts }));
  write('package-lock.json', JSON.stringify({ packages: {} }));
  write('node_modules/.package-lock.json', JSON.stringify({ packages: {} }));
  write(
    'server/cli/plumbline.ts',
    `process.stdout.write(['plumbline', ...process.argv.slice(2)].join(' ') + '\\n');\n`,
  );
  write('app/page.tsx', 'export default function Page() {}\n');
  // Comments of the scripts name them, and what a comment names must be there.
  for (const named of ['server/config/schema.ts', 'lib/foreign-words.ts']) write(named, '');

  return {
    write,
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    path: (path) => realpathSync(join(folder, path)),
    link: (to, path) => symlinkSync(join(folder, to), join(folder, path)),
    suite: (name, counts) => write(`suite-${name}`, JSON.stringify(counts)),
    run: (program, ...args) => runIn({}, program, ...args),
    runIn,
    uninstall() {
      write('package-lock.json', JSON.stringify({ packages: locked }));
      rmSync(join(folder, 'node_modules', '.package-lock.json'));
      write('npm/npm', pretendNpm);
      chmodSync(join(folder, 'npm', 'npm'), 0o755);
      write('npm/package.json', '{}');
      search = `${join(folder, 'npm')}${delimiter}${search}`;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
