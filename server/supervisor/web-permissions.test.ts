import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { webPermissions } from './web-permissions.ts';

const checkout = join(import.meta.dirname, '..', '..');

/** A checkout with a record beside it, and a program of it that runs one expression; gives what came of it at a first and a later start. */
function run(expression: string): string {
  const [first, later] = [runAt('first', expression), runAt('later', expression)];
  return first === later ? first : `${first}, later ${later}`;
}

function runAt(start: 'first' | 'later', expression: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'plumbline-permissions-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const root = join(folder, 'checkout');
  mkdirSync(join(root, 'server'), { recursive: true });
  mkdirSync(join(root, '.plumbline'));
  for (const name of ['eu-west-3.yaml', '.plumbline/kubeconfig', 'server/page.ts', 'package.json'])
    writeFileSync(join(root, name), '{}');
  const program = join(root, 'server', 'main.mjs');
  writeFileSync(
    program,
    `import * as fs from 'node:fs'; import { execFileSync } from 'node:child_process';
     const root = ${JSON.stringify(root)}, data = ${JSON.stringify(join(folder, 'data'))};
     fs.existsSync(root + '/server/page.ts');
     try { ${expression}; console.log('done') } catch (error) { console.log(error.code) }`,
  );
  if (start === 'later') mkdirSync(join(folder, 'data'));
  const code = ['server/*', 'lib/*', 'node_modules/*', 'package.json'].map((part) => join(checkout, part));
  const reads = [join(folder, 'plumbline.yaml'), ...code];
  const flags = webPermissions({ root, dataDirectory: join(folder, 'data'), reads });
  // The record is made after the process was allowed to read it, as at a first start.
  mkdirSync(join(folder, 'data'), { recursive: true });
  writeFileSync(join(folder, 'data', 'plumbline.db'), 'record, which is no database: '.repeat(9));
  const standby = { host: 'node-1', pid: 4711, since: 1, seenAt: 2 };
  writeFileSync(join(folder, 'data', 'plumbline.db.standby'), JSON.stringify(standby));
  writeFileSync(join(folder, 'data', 'links.db'), 'links');
  writeFileSync(join(folder, 'data', 'kubeconfig'), '{}');
  writeFileSync(join(folder, 'plumbline.yaml'), '');
  return spawnSync(process.execPath, [...flags, program], { encoding: 'utf8' }).stdout.trim();
}

describe.skipIf(process.platform === 'win32')('the web process', () => {
  it.each([
    ['reads what the pages are made of', `fs.readFileSync(root + '/server/page.ts')`],
    ['reads the record', `fs.readFileSync(data + '/plumbline.db')`],
    ['sees its log', `fs.statSync(data + '/plumbline.db-wal', { throwIfNoEntry: false })`],
    ['sees what is said beside it', `fs.statSync(data + '/plumbline.db.standby', { throwIfNoEntry: false })`],
    ['reads the list of links', `fs.existsSync(data + '/links.db-journal'); fs.readFileSync(data + '/links.db')`],
    ['reads its configuration', `fs.readFileSync(data + '/../plumbline.yaml')`],
    ['writes the list of links', `fs.writeFileSync(data + '/links.db', '')`],
    ['writes the book of access', `fs.writeFileSync(data + '/access.db', ''); fs.readFileSync(data + '/access.db')`],
  ])('%s', (_what, expression) => {
    expect(run(expression)).toBe('done');
  });

  it.each([
    ['reads no kubeconfig in the checkout', `fs.readFileSync(root + '/eu-west-3.yaml')`],
    ['reads none in the data directory', `fs.readFileSync(data + '/kubeconfig')`],
    ['does not list the data directory', `fs.readdirSync(data)`],
    ['reads none beside the record', `fs.readFileSync(root + '/.plumbline/kubeconfig')`],
    ['reads no file of the machine', `fs.readFileSync('/etc/passwd')`],
    ['does not write the record', `fs.writeFileSync(data + '/plumbline.db', '')`],
    ['does not write its own code', `fs.writeFileSync(root + '/server/page.ts', '')`],
    ['starts no program', `execFileSync(process.execPath, ['--version'])`],
  ])('%s', (_what, expression) => {
    expect(run(expression)).toBe('ERR_ACCESS_DENIED');
  });

  it('opens the record and keeps links by the code of the pages', () => {
    const from = (file: string): string => `(await import(${JSON.stringify(join(checkout, 'server', file))}))`;
    const link = `{ scope: 'fleet', key: 'one', by: 'reader', madeAt: 1, endsAt: 2 }`;
    const said = run(`
      fs.rmSync(data + '/links.db');
      const record = ${from('store/sqlite/database.ts')}.openForReading(data + '/plumbline.db', 0);
      const links = ${from('web/embeds/link-list.ts')}.linkList(data + '/links.db');
      const kept = [links.keep(${link}).type, links.read(0).links.length];
      const standby = ${from('store/port/instance.ts')}.readStandby(data + '/plumbline.db');
      const book = ${from('web/access/access-book.ts')}.accessBook(data + '/access.db');
      const ended = [book.endSession('x', 2, 1).type, book.hasEnded('x')];
      const keys = await ${from('web/access/session-keys.ts')}.sessionKeys(data, 1);
      console.log(record.type, ...kept, standby.pid, ...ended, (await keys.current()).type)`);
    // It was read, and is no database.
    expect(said).toBe('corrupt kept 1 4711 ended true keys\ndone');
  });

  it('loads no native code', () => {
    expect(run(`process.dlopen({ exports: {} }, '/nowhere.node')`)).toBe('ERR_DLOPEN_DISABLED');
  });
});
