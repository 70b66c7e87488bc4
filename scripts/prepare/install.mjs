// Installs the locked packages, only when what is installed is not what is locked.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from '../process/child.mjs';
import { broughtNode, isNewEnough } from './node.mjs';
import { withLock } from './lock.mjs';
import { say } from './say.mjs';

/** Common to both: nothing of a package is run, and nothing but errors is said. */
const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--include=optional'];

/**
 * Makes node_modules what package-lock.json says: what Plumbline runs by, and `forWork` what it is changed and tested with
 * too. Gives 0, or the exit code of npm. What npm prints goes to standard error.
 */
export async function ensureInstalled(root, { forWork }) {
  if (whyInstall(root, forWork) === null) return 0;
  return withLock(root, 'install', async () => {
    const reason = whyInstall(root, forWork);
    if (reason === null) return 0;
    const args = npmArguments(root, forWork);
    say(`Installing packages (npm ${args[0]}): ${reason}`);
    const [program, ...before] = npm();
    const code = await runTool(program, [...before, ...args, ...quietly], { cwd: root, stdout: standardError });
    if (code !== 0) process.stderr.write(`npm ${args[0]} ended with ${code}. Nothing was started.\n`);
    else if (!forWork) dropUnusedNode(root);
    return code;
  });
}

const standardError = 2;

/**
 * `npm ci` begins anew. Where only the tools for work are missing they are added: a Plumbline that runs from this checkout
 * keeps its files.
 */
function npmArguments(root, forWork) {
  if (forWork && whyInstall(root, false) === null) return ['install', '--no-save', '--include=dev'];
  return ['ci', forWork || hasWork(root) ? '--include=dev' : '--omit=dev'];
}

/** True if tools for work are installed here: an install for use alone would take them away. */
function hasWork(root) {
  return Object.values(readPackages(installedList(root)) ?? {}).some((entry) => entry.dev === true);
}

/** Why an install is needed, or null where every locked package that is asked for is installed at its locked version. */
export function whyInstall(root, forWork) {
  const locked = readPackages(join(root, 'package-lock.json'));
  if (locked === null) return 'package-lock.json cannot be read';
  const installed = readPackages(installedList(root));
  if (installed === null) return 'node_modules is missing or incomplete';
  for (const [path, entry] of Object.entries(locked)) {
    const found = installed[path];
    if (path === '' || entry.link || (found === undefined && (entry.optional || (entry.dev && !forWork)))) continue;
    const name = path.replace(/^node_modules\//, '');
    if (found === undefined) return `${name} is not installed`;
    const same = found.version === entry.version && (entry.integrity ?? found.integrity) === found.integrity;
    if (!same) return `${name} is not at its locked version`;
  }
  const node = broughtNode(root);
  if (!isNewEnough() && node !== null && !existsSync(node)) return 'this Node is too old, and npm brings a newer one';
  return null;
}

/** npm writes this file last: an install that was cut short has none. */
function installedList(root) {
  return join(root, 'node_modules', '.package-lock.json');
}

/** Takes the Node that npm brings away again (215 MB) where the machine has one that is new enough. */
function dropUnusedNode(root) {
  const node = broughtNode(root);
  if (isNewEnough() && node !== null) rmSync(join(node, '..', '..'), { recursive: true, force: true });
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
