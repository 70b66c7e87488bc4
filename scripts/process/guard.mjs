// Runs one program in a process group of its own and ends the whole group when the process that asked for it is gone.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const [program, ...args] = process.argv.slice(2);
const grouped = process.platform !== 'win32';
const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], detached: grouped });

function signalGroup(signal) {
  try {
    if (grouped) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // The group has ended already.
  }
}

function end() {
  signalGroup('SIGTERM');
  setTimeout(() => {
    signalGroup('SIGKILL');
    process.exit(143);
  }, 4000);
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, end);
process.on('disconnect', end);
child.on('error', (error) => {
  process.stderr.write(`${program} could not be started: ${error.message}\n`);
  process.exit(71);
});
child.on('exit', (code, signal) => {
  signalGroup('SIGKILL');
  process.exit(code ?? 128 + constants.signals[signal]);
});
