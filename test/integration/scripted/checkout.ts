import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

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
  /** The next run of the test suite reports these counts. */
  suite(name: string, counts: { readonly passed: number; readonly failed: number }): void;
  run(program: string, ...args: readonly string[]): Promise<Ended>;
  remove(): void;
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
appendFileSync('ran', 'vitest ' + suite + '\\n');
if (existsSync('dies-' + suite)) process.exit(1);
const counts = existsSync('suite-' + suite) ? JSON.parse(readFileSync('suite-' + suite, 'utf8')) : { passed: 1, failed: 0 };
const results = (status, count) => Array.from({ length: count }, () => ({ status }));
const assertionResults = [...results('passed', counts.passed), ...results('failed', counts.failed), ...results('pending', 1)];
const report = { testResults: [{ name: process.cwd() + '/a.test.ts', status: counts.failed > 0 ? 'failed' : 'passed', assertionResults }] };
writeFileSync(process.argv.find((arg) => arg.startsWith('--outputFile.json=')).split('=')[1], JSON.stringify(report));
if (suite === 'real' && existsSync('refuse')) writeFileSync('.plumbline/test-real.json', readFileSync('refuse', 'utf8'));
process.exit(counts.failed > 0 ? 1 : 0);
`;

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
    ['test', 'test:real', 'verify', 'start'].map((name) => [name, `node scripts/run.mjs ${name}`]),
  );

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }

  for (const part of ['scripts', '.ci']) cpSync(join(root, part), join(folder, part), { recursive: true });
  for (const [path, text] of Object.entries(tools)) write(path, text);
  write('package.json', JSON.stringify({ name: 'checkout', version: '1.0.0', type: 'module', private: true, scripts }));
  write('package-lock.json', JSON.stringify({ packages: {} }));
  write('node_modules/.package-lock.json', JSON.stringify({ packages: {} }));
  write(
    'server/cli/plumbline.ts',
    `process.stdout.write(['plumbline', ...process.argv.slice(2)].join(' ') + '\\n');\n`,
  );
  write('app/page.tsx', 'export default function Page() {}\n');
  // A comment of the scripts names it, and what a comment names must be there.
  write('server/config/schema.ts', '');

  return {
    write,
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    suite: (name, counts) => write(`suite-${name}`, JSON.stringify(counts)),
    run: (program, ...args) =>
      new Promise((resolve) => {
        execFile(program, [...args], { cwd: folder }, (error, stdout, stderr) => {
          const code = typeof error?.code === 'number' ? error.code : 0;
          resolve({ code, stdout, stderr, last: stdout.trimEnd().split('\n').at(-1) ?? '' });
        });
      }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
