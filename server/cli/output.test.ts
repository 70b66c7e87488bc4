import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { terminalOutput } from './output.ts';

function written(tty: boolean, columns = 80) {
  const texts: string[] = [];
  const stream = { write: (text: string) => texts.push(text) };
  return { texts, output: terminalOutput({ stdout: stream, stderr: { ...stream, isTTY: tty, columns } }) };
}

it('on a terminal the status is shown in place, and gone before anything else is written', () => {
  const { texts, output } = written(true);
  output.status?.('1 of 2 clusters');
  output.status?.('2 of 2 clusters');
  output.status?.('2 of 2 clusters');
  output.say('done');
  output.status?.(null);
  output.out('result');
  expect(texts).toEqual(['1 of 2 clusters', '\r\u001B[2K', '2 of 2 clusters', '\r\u001B[2K', 'done\n', 'result\n']);
});

it('never takes more than one line', () => {
  const { texts, output } = written(true, 10);
  output.status?.('0123456789abc');
  expect(texts).toEqual(['012345678']);
});

it('where nobody watches there is no status', () => {
  expect(written(false).output.status).toBeUndefined();
});

it('what is written steers nothing: no escape, no direction, no line over another', () => {
  const { texts, output } = written(true);
  output.out('a\u001B[2Jb\u009B31m\u202Ec\rd\ne');
  output.say('\u001B]0;title\u0007');
  output.status?.('one\ntwo\u001B[A');
  expect(texts).toEqual([
    'a\\u{1b}[2Jb\\u{9b}31m\\u{202e}c\\u{d}d\ne\n',
    '\\u{1b}]0;title\\u{7}\n',
    'one two\\u{1b}[A',
  ]);
});

const program = fileURLToPath(new URL('./plumbline.ts', import.meta.url));

it.skipIf(!existsSync('/dev/full'))('a result that a full disk does not take is a failure, and says so', async () => {
  const child = spawn(process.execPath, [program, '--version'], {
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
  });
  const said = child.stderr === null ? '' : await text(child.stderr);
  const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
  expect({ code, said }).toEqual({
    code: 75,
    said: expect.stringMatching(/^plumbline: the result cannot be written: ENOSPC/),
  });
});

it('who reads no further than the first line ends it quietly, with its own code', async () => {
  const child = spawn(process.execPath, [program, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  const said = await text(child.stderr);
  const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
  expect({ code, said }).toEqual({ code: 0, said: '' });
});

it('a command that waits stays until its time is over, though nobody answers', async () => {
  const args = [program, 'check', '--commit', '2d81a0c4', '--url', 'http://127.0.0.1:1', '--wait', '2s'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const said = await text(child.stderr);
  const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
  expect({ code, said: said.split('\n').slice(1) }).toEqual({
    code: 69,
    said: ['http://127.0.0.1:1 cannot be asked: bad port.', ''],
  });
});
