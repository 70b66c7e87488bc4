import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

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
