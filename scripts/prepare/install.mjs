// Installs the locked packages, only when what is installed is not what is locked.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from '../process/child.mjs';
import { broughtNode, isNewEnough } from './node.mjs';
import { withLock } from './lock.mjs';
import { say } from './say.mjs';

/** Makes node_modules what package-lock.json says. Gives 0, or the exit code of npm. */
export async function ensureInstalled(root) {
  if (whyInstall(root) === null) return 0;
  return withLock(root, 'install', async () => {
    const reason = whyInstall(root);
    if (reason === null) return 0;
    say(`Installing packages (npm ci): ${reason}`);
    const args = [
      'ci',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      '--include=dev',
      '--include=optional',
    ];
    const [program, ...before] = npm();
    const code = await runTool(program, [...before, ...args], { cwd: root });
    if (code !== 0) process.stderr.write(`npm ci ended with ${code}. Nothing was started.\n`);
    return code;
  });
}

/** Why an install is needed, or null where every locked package is installed at its locked version. */
export function whyInstall(root) {
  const locked = readPackages(join(root, 'package-lock.json'));
  if (locked === null) return 'package-lock.json cannot be read';
  // npm writes this file last: an install that was cut short has none.
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'));
  if (installed === null) return 'node_modules is missing or incomplete';
  for (const [path, entry] of Object.entries(locked)) {
    if (path === '' || entry.link) continue;
    const found = installed[path];
    if (found === undefined && entry.optional) continue;
    const same = found?.version === entry.version && (entry.integrity ?? found.integrity) === found.integrity;
    if (!same) return `${path.replace(/^node_modules\//, '')} is not at its locked version`;
  }
  const node = broughtNode(root);
  if (!isNewEnough() && node !== null && !existsSync(node)) return 'this Node is too old, and npm brings a newer one';
  return null;
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages ?? null;
  } catch {
    return null;
  }
}

function npm() {
  const script = process.env.npm_execpath;
  if (script !== undefined && /npm-cli\.[cm]?js$/.test(script)) return [process.execPath, script];
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm'];
}
