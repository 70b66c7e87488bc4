// The one door of every npm script. Plain JavaScript: it runs before the install, on whatever Node the machine has.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runTests, runReal, runVerify } from './checks.mjs';
import { ensureBuilt } from './prepare/build.mjs';
import { ensureInstalled } from './prepare/install.mjs';
import { findNode } from './prepare/node.mjs';
import { runProgram, runTool, shutdown } from './process/child.mjs';
import { whenParentEnds } from './process/parent.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const commands = {
  demo: (node, args) => servePages(node, ['demo', ...args]),
  start: (node, args) => servePages(node, ['start', ...args]),
  plumbline: (node, args) => (needsPages(args) ? servePages(node, args) : plumbline(node, args)),
  test: (node, args) => runTests(root, node, args),
  'test:real': (node, args) => runReal(root, node, args),
  verify: (node) => runVerify(root, node),
  bench: (node, args) => runTool(node, ['test/bench/main.ts', ...args], { cwd: root }),
};

function needsPages(args) {
  const asksForHelp = args.some((arg) => arg === '--help' || arg === '-h');
  return (args[0] === 'start' || args[0] === 'demo') && !asksForHelp && !args.includes('--dry-run');
}

async function servePages(node, args) {
  if (!needsPages(args)) return plumbline(node, args);
  // What can be refused is refused before anybody has waited for a build.
  const sound = await plumbline(node, [...args, '--dry-run']);
  if (sound !== 0) return sound;
  const built = await ensureBuilt(root, node);
  return built === 0 ? plumbline(node, args) : built;
}

function plumbline(node, args) {
  return runProgram(node, ['server/cli/plumbline.ts', ...args], { cwd: root });
}

async function main([name, ...args]) {
  const command = commands[name];
  if (!command) {
    process.stderr.write(`Usage: node scripts/run.mjs <${Object.keys(commands).join('|')}> [arguments]\n`);
    return 64;
  }
  const installed = await ensureInstalled(root);
  if (installed !== 0) return installed;
  const node = findNode(root);
  if (node === null) return 69;
  return command(node, args);
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => shutdown(signal));
whenParentEnds(() => shutdown('SIGTERM'));
process.exitCode = await main(process.argv.slice(2));
