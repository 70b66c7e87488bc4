// One preparation at a time in one checkout: a second command waits for the first instead of doing the same beside it.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { say } from './say.mjs';

const unavailable = 69;

/**
 * Runs `task`, which gives an exit code, while holding the lock `name`; a lock whose holder is gone is taken over. Gives 69 where this user may
 * not write to the checkout, after having said who may.
 */
export async function withLock(root, name, task) {
  const folder = join(root, '.plumbline');
  const path = join(folder, `${name}.lock`);
  try {
    mkdirSync(folder, { recursive: true });
    for (let waited = false; !take(path); waited = true) {
      if (!waited) say(`Waiting for another plumbline command (${name})`);
      await wait(250);
    }
  } catch (error) {
    if (!['EROFS', 'EACCES', 'EPERM'].includes(error.code)) throw error;
    process.stderr.write(
      `${root} is not as it must be to start (${name}), and this user may not write there (${error.code}). ` +
        `Run \`npm run build\` there as who owns it.\n`,
    );
    return unavailable;
  }
  try {
    return await task();
  } finally {
    rmSync(path, { force: true });
  }
}

function take(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (isHolderAlive(path)) return false;
    rmSync(path, { force: true });
    return false;
  }
}

function isHolderAlive(path) {
  try {
    process.kill(Number(readFileSync(path, 'utf8')), 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
