// Notices that the process that started this one is gone, also when it was killed without a word.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const pollMs = 250;
const shells = /^(?:.*\/)?(?:sh|dash|bash|zsh|busybox)$/;

/**
 * Calls `task` once when the parent has ended. npm may start a script through a shell that outlives npm:
 * then the shell's own parent is watched too.
 */
export function whenParentEnds(task) {
  const parent = process.ppid;
  if (parent <= 1 || process.platform === 'win32') return;
  const beyond = process.env.npm_lifecycle_event === undefined ? null : shellParent(parent);
  const timer = setInterval(() => {
    const orphaned = process.ppid !== parent || (beyond !== null && !isAlive(beyond));
    if (!orphaned) return;
    clearInterval(timer);
    task();
  }, pollMs);
  timer.unref();
}

/** The pid of the parent of `pid` where `pid` is a shell; otherwise null. */
function shellParent(pid) {
  const { name, parent } = processOf(pid);
  return name !== null && shells.test(name) && parent > 1 ? parent : null;
}

function processOf(pid) {
  try {
    if (process.platform === 'linux') {
      // pid (name) state parent ...: the name may hold spaces and brackets.
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const end = stat.lastIndexOf(')');
      return { name: stat.slice(stat.indexOf('(') + 1, end), parent: Number(stat.slice(end + 2).split(' ')[1]) };
    }
    const line = execFileSync('ps', ['-o', 'ppid=,comm=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    const [parent, ...name] = line.split(/\s+/);
    return { name: name.join(' ').replace(/^-/, ''), parent: Number(parent) };
  } catch {
    return { name: null, parent: 0 };
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
