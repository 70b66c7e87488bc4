import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';

const parent = JSON.stringify(join(import.meta.dirname, 'parent.ts'));
const ends = `const { whenParentEnds } = await import(${parent}); whenParentEnds(() => process.exit(7));`;
const goesOn = 'setInterval(() => {}, 1_000);';

let child: ChildProcess | null = null;

function start(program: string, channel: 'ipc' | 'ignore'): ChildProcess {
  const args = ['--input-type=module', '-e', program];
  child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit', channel] });
  return child;
}

afterEach(() => void child?.kill('SIGKILL'));

it('a program ends when its parent is gone', async () => {
  const told = start(`${ends} ${goesOn} process.send('here');`, 'ipc');
  await once(told, 'message');
  told.disconnect();
  expect(await once(told, 'exit')).toEqual([7, null]);
});

it('a program ends whose parent went while it was still being loaded', async () => {
  const loading = `if (process.connected) await new Promise((gone) => process.once('disconnect', gone));`;
  const told = start(`const reads = () => {}; process.on('message', reads); ${loading} ${ends} ${goesOn}`, 'ipc');
  told.disconnect();
  expect(await once(told, 'exit')).toEqual([7, null]);
});

it('a program that nobody started with a channel goes on', async () => {
  expect(await once(start(`${ends} setTimeout(() => process.exit(0), 20);`, 'ignore'), 'exit')).toEqual([0, null]);
});
