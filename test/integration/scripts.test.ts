import { relative } from 'node:path';
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
    expect(ended).toMatchObject({ code: 0, last: '51 passed, 0 failed' });
    expect(checkout.read('ran').trim().split('\n')).toEqual([
      'oxfmt --check',
      'oxlint --type-aware --deny-warnings',
      'next typegen',
      'typescript -p . --noEmit',
      'knip',
      'vitest unit',
      'vitest ui',
      'vitest measuring',
      'vitest integration',
      'next build',
      'vitest e2e',
    ]);
  });

  it('names what has failed, goes on, and exits with 1', async () => {
    checkout.suite('ui', { passed: 3, failed: 2 });
    checkout.write('fails-oxlint', '');
    const ended = await run('test');
    expect(ended).toMatchObject({ code: 1, last: '13 passed, 3 failed' });
    expect(ended.stdout).toContain('Failed: Lint (oxlint)\nFailed: Tests: ui\n');
  });

  it('counts a suite that died without a report as a failure', async () => {
    checkout.write('dies-integration', '');
    expect(await run('test')).toMatchObject({ code: 1, last: '11 passed, 1 failed' });
  });

  it('runs files again in which something failed, once, and not a suite that died', async () => {
    checkout.suite('integration', { passed: 2, failed: 1 });
    checkout.write('dies-e2e', '');
    expect(await run('test')).toMatchObject({ code: 1, last: '12 passed, 2 failed' });
    const suites = checkout
      .read('ran')
      .split('\n')
      .filter((line) => /integration|e2e/.test(line));
    expect(suites).toEqual(['vitest integration', 'vitest integration', 'vitest e2e']);
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

describe('npm run test:real', () => {
  it('plays the chapters again in which something failed, and no other', async () => {
    checkout.suite('real', { passed: 30, failed: 1 });
    expect(await run('test:real')).toMatchObject({ code: 1, last: '31 passed, 1 failed' });
    const suites = checkout
      .read('ran')
      .split('\n')
      .filter((line) => line.includes('real'));
    expect(suites).toEqual(['vitest real', 'vitest real, only chapter-failed']);
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
    checkout.write('server/cli/plumbline.ts', `process.exit(process.argv.includes('--before-build') ? 78 : 0);\n`);
    expect((await run('start')).code).toBe(78);
    expect(() => checkout.read('ran')).toThrow('ENOENT');
  });

  it('says who must build where this user may not, and tries nothing', async () => {
    // Nobody makes a file there, root neither.
    checkout.link(relative(checkout.path('.'), '/sys/kernel'), '.plumbline');
    const ended = await run('start');
    expect(ended.code).toBe(69);
    expect(ended.stderr).toContain('Run `npm run build` there as who owns it');
    expect(ended.stderr).not.toContain('    at ');
    expect(() => checkout.read('ran')).toThrow('ENOENT');
  });

  it('needs no build to explain itself', async () => {
    expect(await run('start', '--help')).toMatchObject({ code: 0, last: 'plumbline start --help' });
    expect(() => checkout.read('ran')).toThrow('ENOENT');
  });

  it('says which commands there are', async () => {
    const ended = await run('strat');
    expect(ended.code).toBe(64);
    expect(ended.stderr).toContain('build|demo|start|plumbline|test|test:real|build:real|verify|bench');
  });
});

describe('npm run build', () => {
  it('installs and builds what a start needs, and starts nothing', async () => {
    checkout.uninstall();
    expect(await run('build')).toMatchObject({ code: 0, stdout: expect.not.stringContaining('plumbline start') });
    expect(checkout.read('npm-ran')).toContain('ci --omit=dev');
    expect(checkout.read('ran')).toBe('next build\n');
    await run('start');
    expect(checkout.read('ran')).toBe('next build\n');
  });

  it('ends as the build ends', async () => {
    checkout.write('fails-next', '');
    expect(await run('build')).toMatchObject({ code: 1, stderr: expect.stringContaining('a page is broken') });
  });
});

/** As in `./plumbline`: the one line that a pretended program prints, and its exit code. */
const program = (code: number) =>
  `process.stdout.write(JSON.stringify([process.cwd(), ...process.argv.slice(2)]) + '\\n'); process.exitCode = ${code};\n`;

describe('./plumbline', () => {
  it('prints its result alone on standard output, also where nothing is installed yet', async () => {
    checkout.uninstall();
    const ended = await checkout.run('./plumbline', 'rbac');
    expect(ended).toMatchObject({ code: 0, stdout: 'plumbline rbac\n' });
    expect(ended.stderr).toContain('Installing packages');
    expect(ended.stderr).toContain('added 1 packages');
  });

  it('ends with the exit code of the program', async () => {
    checkout.write('server/cli/plumbline.ts', program(2));
    expect((await checkout.run('./plumbline', 'check')).code).toBe(2);
  });

  it('finds the paths of its command line from where it is called, by whatever link', async () => {
    checkout.write('server/cli/plumbline.ts', program(0));
    checkout.write('docs/guide.md', '');
    checkout.link('plumbline', 'docs/linked');
    const ended = await checkout.runIn({ folder: 'docs' }, './linked', 'check', '--config', 'here.yaml');
    expect(JSON.parse(ended.stdout)).toEqual([checkout.path('docs'), 'check', '--config', 'here.yaml']);
  });
});

describe('npm', () => {
  it('with --prefix leaves the person where they stand', async () => {
    checkout.write('server/cli/plumbline.ts', program(0));
    checkout.write('docs/guide.md', '');
    const args = ['--prefix', '..', '--silent', 'run', 'plumbline', '--', 'check'];
    const ended = await checkout.runIn({ folder: 'docs' }, 'npm', ...args);
    expect(JSON.parse(ended.stdout)).toEqual([checkout.path('docs'), 'check']);
  });

  it.each([
    [['start', '--context', 'c3'], 'npm keeps --context for itself', 'npm start -- --context c3'],
    [['start', '--context=c3,c4'], 'npm keeps --context for itself', 'npm start -- --context c3,c4'],
    [['start', '--dry-run'], 'npm keeps --dry-run for itself', 'npm start -- --dry-run'],
    [['run', 'plumbline', 'check', '--context', 'c3'], '--context', 'npm run plumbline -- check --context c3'],
  ])('without -- starts nothing for %j and says how it is written', async (args, why, written) => {
    const ended = await checkout.run('npm', ...args);
    expect(ended.code).toBe(64);
    expect(ended.stderr).toContain(why);
    expect(ended.stderr).toContain(`"--". ${written}\n`);
    expect(ended.stdout).not.toContain('\nplumbline');
  });
});

describe('.ci/run', () => {
  it('sums both runs up in its last line', async () => {
    checkout.suite('real', { passed: 30, failed: 0 });
    expect(await checkout.run('.ci/run')).toMatchObject({ code: 0, last: '43 passed, 0 failed' });
  });

  it('fails where the second run fails', async () => {
    checkout.suite('real', { passed: 30, failed: 1 });
    expect(await checkout.run('.ci/run')).toMatchObject({ code: 1, last: '43 passed, 1 failed' });
  });

  it('fails where a registry refused what the second run needs, and names it in the lines before the last', async () => {
    checkout.write(
      'refuse',
      JSON.stringify({ refused: [{ name: 'flux', reason: 'the proxy answered 403' }, 'crossplane'] }),
    );
    const { code, stdout } = await checkout.run('.ci/run');
    expect(code).toBe(1);
    expect(stdout.trimEnd().split('\n').slice(-5)).toEqual([
      'Not run: flux (the proxy answered 403)',
      'Not run: crossplane (a registry refused)',
      'Failed: flux was not to be had',
      'Failed: crossplane was not to be had',
      '14 passed, 2 failed',
    ]);
  });
});

describe('what this machine may not do', () => {
  it('fails no check, and is named in the lines before the last', async () => {
    const refused = [{ name: 'the image', reason: 'this machine lets nobody mount', byMachine: true }];
    checkout.write('refuse', JSON.stringify({ refused }));
    const { code, stdout } = await checkout.run('.ci/run');
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n').at(-2)).toBe('Not run: the image (this machine lets nobody mount)');
  });
});

describe('the install', () => {
  it('for use leaves out what only who changes Plumbline needs, and adds it for work without beginning anew', async () => {
    checkout.uninstall();
    expect((await run('start')).code).toBe(0);
    expect((await run('start')).code).toBe(0);
    expect((await run('verify')).code).toBe(0);
    expect((await run('start')).code).toBe(0);
    const [use, work, ...more] = checkout.read('npm-ran').trim().split('\n');
    expect(use).toMatch(/^ci --omit=dev /);
    expect(work).toMatch(/^install --no-save --include=dev /);
    expect(more).toEqual([]);
  });

  it('is done by npm ci when what is installed is not what is locked, and only then', async () => {
    const root = { name: 'checkout', version: '1.0.0', dependencies: { gone: '1.0.0' } };
    const packages = { '': root, 'node_modules/gone': { version: '1.0.0', integrity: 'sha512-x' } };
    checkout.write('.npmrc', 'offline=true\nregistry=http://127.0.0.1:9/\n');
    checkout.write('package.json', JSON.stringify({ ...root, type: 'module' }));
    checkout.write('package-lock.json', JSON.stringify({ ...root, lockfileVersion: 3, requires: true, packages }));
    const ended = await run('start');
    // npm cannot have the package, so that nothing is started.
    expect(ended.stderr).toContain('Installing packages (npm ci): gone is not installed');
    expect(ended.code).not.toBe(0);
    expect(ended.stdout).not.toContain('plumbline start');
  });
});
