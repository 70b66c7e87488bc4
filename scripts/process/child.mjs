// Child processes that end when this process ends, however it ends.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const guard = join(dirname(fileURLToPath(import.meta.url)), 'guard.mjs');
const deadlineMs = 6000;
const running = new Set();
let ending = false;

/** Passes the end on to every child; what still lives after the deadline is killed. */
export function shutdown(signal) {
  ending = true;
  if (running.size === 0) process.exit(128 + constants.signals[signal]);
  for (const child of running) {
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), deadlineMs).unref();
  }
}

/** Runs our own program, which knows how to end with its parent. Gives its exit code. */
export function runProgram(node, args, options = {}) {
  const quiet = ['--disable-warning=ExperimentalWarning'];
  return runChild(node, [...quiet, ...args], options, ['inherit', 'inherit', 'inherit', 'ipc']);
}

/**
 * Runs somebody else's program behind a guard, which ends it with all of its children. Gives its exit code. `stdout` is the
 * descriptor of ours that gets what it prints, standard output where nothing is said.
 */
export function runTool(program, args, { stdout = 1, ...options } = {}) {
  return runChild(process.execPath, [guard, program, ...args], options, ['ignore', stdout, 'inherit', 'ipc']);
}

/** Runs a tool and keeps what it prints: { code, output }. */
export async function captureTool(program, args, options = {}) {
  const chunks = [];
  const collect = (child) => {
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
  };
  const stdio = ['ignore', 'pipe', 'pipe', 'ipc'];
  const code = await runChild(process.execPath, [guard, program, ...args], options, stdio, collect);
  return { code, output: Buffer.concat(chunks).toString('utf8') };
}

function runChild(program, args, { cwd, env = {} }, stdio, onStart = () => undefined) {
  if (ending) return Promise.resolve(143);
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio });
    running.add(child);
    onStart(child);
    child.on('error', (error) => {
      running.delete(child);
      process.stderr.write(`${program} could not be started: ${error.message}\n`);
      resolve(71);
    });
    child.on('close', (code, signal) => {
      running.delete(child);
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
}
