// Every command of the checkout, behind `npm run ...` and `./plumbline`. Plain JavaScript: it runs before the install, on
// whatever Node the machine has. Standard output belongs to the command: what is prepared is said on standard error.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runTests, runReal, runVerify } from './checks.mjs';
import { ensureBuilt } from './prepare/build.mjs';
import { ensureInstalled } from './prepare/install.mjs';
import { findNode } from './prepare/node.mjs';
import { isRunByNpm, takenByNpm } from './process/npm.mjs';
import { runProgram, runTool, shutdown } from './process/child.mjs';
import { whenParentEnds } from './process/parent.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const program = join(root, 'server', 'cli', 'plumbline.ts');

/** Each command by its name; `forWork` where it needs what only who changes Plumbline needs. */
const commands = {
  // All that a start needs, for who may not write to the checkout when it starts.
  build: { run: (node) => ensureBuilt(root, node) },
  demo: { run: (node, args) => servePages(node, ['demo', ...args]) },
  start: { run: (node, args) => servePages(node, ['start', ...args]) },
  plumbline: { run: (node, args) => (needsPages(args) ? servePages(node, args) : plumbline(node, args)) },
  test: { forWork: true, run: (node, args) => runTests(root, node, args) },
  'test:real': { forWork: true, run: (node, args) => runReal(root, node, args) },
  // Only the real programs and the image, as test:real builds them where they are not there yet.
  'build:real': { forWork: true, run: (node) => runTool(node, ['test/real/build-all.ts'], { cwd: root }) },
  verify: { forWork: true, run: (node) => runVerify(root, node) },
  bench: { forWork: true, run: (node, args) => runTool(node, ['test/bench/main.ts', ...args], { cwd: root }) },
};

function needsPages(args) {
  const asksForHelp = args.some((arg) => arg === '--help' || arg === '-h');
  return (args[0] === 'start' || args[0] === 'demo') && !asksForHelp && !args.includes('--dry-run');
}

async function servePages(node, args) {
  if (!needsPages(args)) return plumbline(node, args);
  // What can be refused is refused before anybody has waited for a build.
  const sound = await plumbline(node, [...args, '--before-build']);
  if (sound !== 0) return sound;
  const built = await ensureBuilt(root, node);
  return built === 0 ? plumbline(node, args) : built;
}

/** Runs Plumbline where the person stands, so that the paths of a command line are found from there. */
function plumbline(node, args) {
  return runProgram(node, [program, ...args], { cwd: isRunByNpm(root) ? process.env.INIT_CWD : process.cwd() });
}

async function prepareAndRun(name, args) {
  const command = commands[name];
  if (!command) {
    process.stderr.write(`Usage: node scripts/run.mjs <${Object.keys(commands).join('|')}> [arguments]\n`);
    return 64;
  }
  const hint = isRunByNpm(root) ? takenByNpm(process.env, name, args) : null;
  if (hint !== null) {
    process.stderr.write(`${hint}\n`);
    return 64;
  }
  const installed = await ensureInstalled(root, { forWork: command.forWork === true });
  if (installed !== 0) return installed;
  const node = findNode(root);
  return node === null ? 69 : command.run(node, args);
}

/** Runs a command of the checkout to its end and leaves with its exit code. */
export async function runCommand(name, args) {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => shutdown(signal));
  whenParentEnds(() => shutdown('SIGTERM'));
  process.exitCode = await prepareAndRun(name, args);
}
