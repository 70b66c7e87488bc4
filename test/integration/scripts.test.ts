import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Checkout, makeCheckout } from './scripted/checkout.ts';

let checkout: Checkout;
beforeEach(() => {
  checkout = makeCheckout();
});
afterEach(() => checkout.remove());

const run = (name: string, ...args: readonly string[]) =>
  checkout.run(process.execPath, 'scripts/run.mjs', name, ...args);

describe('npm test', () => {
  it('runs every check and suite once and sums them up in its last line', async () => {
    checkout.suite('unit', { passed: 40, failed: 0 });
    const ended = await run('test');
    expect(ended).toMatchObject({ code: 0, last: '50 passed, 0 failed' });
    expect(checkout.read('ran').trim().split('\n')).toEqual([
      'oxfmt --check',
      'oxlint --type-aware --deny-warnings',
      'next typegen',
      'typescript -p . --noEmit',
      'knip',
      'vitest unit',
      'vitest ui',
      'vitest integration',
      'next build',
      'vitest e2e',
    ]);
  });

  it('names what has failed, goes on, and exits with 1', async () => {
    checkout.suite('ui', { passed: 3, failed: 2 });
    checkout.write('fails-oxlint', '');
    const ended = await run('test');
    expect(ended).toMatchObject({ code: 1, last: '12 passed, 3 failed' });
    expect(ended.stdout).toContain('Failed: Lint (oxlint)\nFailed: Tests: ui\n');
  });

  it('counts a suite that died without a report as a failure', async () => {
    checkout.write('dies-integration', '');
    expect(await run('test')).toMatchObject({ code: 1, last: '10 passed, 1 failed' });
  });

  it('shows what a failed build said and does not test the pages of an older one', async () => {
    checkout.write('fails-next', '');
    const ended = await run('test');
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('a page is broken');
    expect(ended.stdout).toContain('e2e was not run: the build failed');
    expect(checkout.read('ran')).not.toContain('vitest e2e');
  });
});

describe('npm run verify', () => {
  it('starts no server and builds nothing', async () => {
    expect(await run('verify')).toMatchObject({ code: 0, last: '8 passed, 0 failed' });
    expect(checkout.read('ran')).not.toMatch(/build|integration|e2e/);
  });

  it('refuses a document that names a path that is not there', async () => {
    checkout.write(
      'docs/guide.md',
      'See `app/page.tsx`, `app/gone.tsx:12` and `npm test`.\n\n```\n`lib/example.ts`\n```\n',
    );
    const ended = await run('verify');
    expect(ended).toMatchObject({ code: 1, last: '7 passed, 1 failed' });
    expect(ended.stderr).toContain('docs/guide.md:1: app/gone.tsx does not exist');
    expect(ended.stderr).not.toContain('example');
  });
});

describe('npm start', () => {
  it('builds once, passes its arguments on, and builds again when a page has changed', async () => {
    const ended = await run('start', '--port', '4000');
    expect(ended).toMatchObject({ code: 0, last: 'plumbline start --port 4000' });
    await run('start');
    expect(checkout.read('ran')).toBe('next build\n');
    checkout.write('app/page.test.tsx', 'changed');
    await run('start');
    expect(checkout.read('ran')).toBe('next build\n');
    checkout.write('app/page.tsx', 'changed');
    await run('start');
    expect(checkout.read('ran')).toBe('next build\nnext build\n');
  });

  it('refuses what the program refuses before it builds anything', async () => {
    checkout.write('server/cli/plumbline.ts', `process.exit(process.argv.includes('--dry-run') ? 78 : 0);\n`);
    expect((await run('start')).code).toBe(78);
    expect(() => checkout.read('ran')).toThrow('ENOENT');
  });

  it('needs no build to explain itself', async () => {
    expect(await run('start', '--help')).toMatchObject({ code: 0, last: 'plumbline start --help' });
    expect(() => checkout.read('ran')).toThrow('ENOENT');
  });

  it('says which commands there are', async () => {
    const ended = await run('strat');
    expect(ended.code).toBe(64);
    expect(ended.stderr).toContain('demo|start|plumbline|test|test:real|verify|bench');
  });
});

describe('.ci/run', () => {
  it('sums both runs up in its last line', async () => {
    checkout.suite('real', { passed: 30, failed: 0 });
    expect(await checkout.run('.ci/run')).toMatchObject({ code: 0, last: '42 passed, 0 failed' });
  });

  it('fails where the second run fails', async () => {
    checkout.suite('real', { passed: 30, failed: 1 });
    expect(await checkout.run('.ci/run')).toMatchObject({ code: 1, last: '42 passed, 1 failed' });
  });

  it('names what a registry refused, in the lines before the last', async () => {
    checkout.write(
      'refuse',
      JSON.stringify({ refused: [{ name: 'flux', reason: 'the proxy answered 403' }, 'crossplane'] }),
    );
    const lines = (await checkout.run('.ci/run')).stdout.trimEnd().split('\n');
    expect(lines.slice(-3)).toEqual([
      'Not run: flux (the proxy answered 403)',
      'Not run: crossplane (a registry refused)',
      '13 passed, 0 failed',
    ]);
  });
});

describe('the install', () => {
  it('is done by npm ci when what is installed is not what is locked, and only then', async () => {
    const root = { name: 'checkout', version: '1.0.0', dependencies: { gone: '1.0.0' } };
    const packages = { '': root, 'node_modules/gone': { version: '1.0.0', integrity: 'sha512-x' } };
    checkout.write('.npmrc', 'offline=true\nregistry=http://127.0.0.1:9/\n');
    checkout.write('package.json', JSON.stringify({ ...root, type: 'module' }));
    checkout.write('package-lock.json', JSON.stringify({ ...root, lockfileVersion: 3, requires: true, packages }));
    const ended = await run('start');
    // npm cannot have the package, so that nothing is started.
    expect(ended.stderr).toContain('Installing packages (npm ci): gone is not at its locked version');
    expect(ended.code).not.toBe(0);
    expect(ended.stdout).not.toContain('plumbline start');
  });
});
