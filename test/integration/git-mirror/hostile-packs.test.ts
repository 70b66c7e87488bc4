import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { createGzip, deflateSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { madeRepository } from '#server/git/reader/testing/made-repository.ts';
import { type Bed, makeBed, minute } from './kept.ts';

let bed: Bed;
beforeEach(() => {
  bed = makeBed();
});
afterEach(() => bed.remove());

async function served(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  return `http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}/acme.git`;
}

/** A repository whose objects are files of their own, as a host that knows nothing of git sends them. */
async function ofPlainFiles(files: Readonly<Record<string, string>>): Promise<string> {
  const made = madeRepository();
  onTestFinished(() => made.remove());
  made.commits({ on: 'main', files });
  const plain = join(bed.folder, 'plain.git');
  mkdirSync(plain);
  const git = (args: readonly string[], input?: Buffer): Buffer =>
    execFileSync('git', ['--git-dir', plain, ...args], { input, maxBuffer: 2 ** 28 });
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', plain]);
  const source = ['--git-dir', made.directory];
  const pack = execFileSync('git', [...source, 'pack-objects', '--all', '--stdout', '-q'], {
    input: '',
    maxBuffer: 2 ** 28,
  });
  git(['unpack-objects', '-q'], pack);
  git(['update-ref', 'refs/heads/main', String(execFileSync('git', [...source, 'rev-parse', 'main'])).trim()]);
  git(['update-server-info']);
  return served((request, response) => {
    try {
      const name = new URL(request.url ?? '/', 'http://host').pathname.replace('/acme.git/', '');
      response.end(readFileSync(join(plain, name)));
    } catch {
      response.writeHead(404).end();
    }
  });
}

it('objects that a host sends as files of their own count as those in packs', async () => {
  const files = Object.fromEntries([1, 2, 3, 4].map((name) => [String(name), randomBytes(500_000).toString('hex')]));
  const url = await ofPlainFiles(files);
  const small = await bed.keeper(url, { deps: { mostBytes: 1_500_000 } });
  await small.fetch();
  expect(small.state().reason).toBe('It cannot be fetched: it is larger than 1 MiB.');
});

it('a host that sends more objects than there may be, one by one, is stopped, and is not asked for more', async () => {
  const url = await ofPlainFiles(
    Object.fromEntries(Array.from({ length: 40 }, (_, name) => [`d${name}/f`, `${name}`])),
  );
  const one = await bed.keeper(url, { deps: { mostRefs: 30 } });
  for (let time = 0; time < 2; time += 1) {
    await one.fetch();
    expect(one.state().reason).toBe('It cannot be fetched: its host sends more than 30 objects one by one.');
    bed.now += minute;
  }
});

it('a mirror that is held by files of their own is read', async () => {
  const one = await bed.keeper(await ofPlainFiles({ a: '1', b: '2' }));
  await one.fetch();
  expect(one.state()).toMatchObject({ state: 'current', reason: null });
  expect(one.state().bytes).toBeGreaterThan(100);
});

const tip = 'a'.repeat(40);
const flush = Buffer.from('0000');

/** "001e# service=..." */
function packet(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes]);
}

function answers(list: readonly (string | null)[], result: (response: ServerResponse) => void): Promise<string> {
  return served((request, response) => {
    request.resume();
    const isList = request.url?.includes('info/refs') === true;
    response.setHeader('content-type', `application/x-git-upload-pack-${isList ? 'advertisement' : 'result'}`);
    if (isList) response.end(Buffer.concat(list.map((line) => (line === null ? flush : packet(line)))));
    else result(response);
  });
}

/** A pack with one commit that says of itself that it is so large (bytes). */
function packOf(bytes: number): Buffer {
  const head = [0x90 | (bytes % 16)];
  for (let left = Math.floor(bytes / 16); left > 0; left = Math.floor(left / 128))
    head.push((left >= 128 ? 0x80 : 0) | (left % 128));
  const count = Buffer.from([...Buffer.from('PACK'), 0, 0, 0, 2, 0, 0, 0, 1]);
  const pack = Buffer.concat([count, Buffer.from(head), deflateSync(Buffer.alloc(1_000, 10))]);
  return Buffer.concat([pack, createHash('sha1').update(pack).digest()]);
}

it('an object that is said to be larger than memory is not unpacked', async () => {
  const can = 'side-band-64k ofs-delta filter object-format=sha1 symref=HEAD:refs/heads/main';
  const refs = ['# service=git-upload-pack\n', null, `${tip} HEAD\0${can}\n`, `${tip} refs/heads/main\n`, null];
  const pack = packet(Buffer.concat([Buffer.from([1]), packOf(600 * 1024 ** 2)]));
  const one = await bed.keeper(
    await answers(refs, (response) => response.end(Buffer.concat([packet('NAK\n'), pack, flush]))),
  );
  await one.fetch();
  expect(one.state().reason).toBe('It cannot be fetched: it holds an object that is too large to be read.');
});

it.runIf(process.platform === 'linux')(
  'a host that names branches without end is stopped before it has all of the memory',
  async () => {
    const first = ['# service=git-upload-pack\n', null, 'version 2\n', 'ls-refs\n', 'fetch=filter\n', null];
    let sent = 0;
    const url = await answers(first, (response) => {
      const piece = Buffer.concat(
        Array.from({ length: 300 }, (_, n) => packet(`${tip} refs/heads/${n}${'x'.repeat(60_000)}\n`)),
      );
      const send = (): void => {
        sent += piece.length;
        if (sent > 3e9) response.end(flush);
        else if (!response.destroyed) response.write(piece, () => setImmediate(send));
      };
      send();
    });
    const one = await bed.keeper(url);
    await one.fetch();
    const reason = 'It cannot be fetched: it takes more memory than it may: its host names too much.';
    expect([one.state().reason, sent < 2e9]).toEqual([reason, true]);
  },
);

it.runIf(process.platform === 'linux')(
  'a host that names millions of branches in one list of 16 MB is stopped while the program that speaks with it reads them',
  async () => {
    const url = await served((request, response) => {
      request.resume();
      if (request.url?.includes('info/refs') !== true) return void response.writeHead(404).end();
      response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' });
      const packed = createGzip();
      packed.pipe(response);
      let count = 0;
      const send = (): void => {
        while (count < 5_800_000) {
          const lines = Array.from({ length: 2_000 }, () => `${tip}\trefs/heads/${(count += 1).toString(36)}\n`);
          if (!packed.write(lines.join(''))) return void packed.once('drain', send);
        }
        packed.end();
      };
      send();
    });
    const one = await bed.keeper(url);
    let most = 0;
    const looking = setInterval(() => {
      for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
        try {
          if (!readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(`origin\0${url}`)) continue;
          most = Math.max(most, Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * 4_096);
        } catch {
          // It has ended.
        }
      }
    }, 50);
    await one.fetch();
    clearInterval(looking);
    const reason = 'It cannot be fetched: it takes more memory than it may: its host names too much.';
    expect([one.state().reason, most > 100e6, most < 1e9]).toEqual([reason, true, true]);
  },
);
