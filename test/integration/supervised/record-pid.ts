import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

/** Leaves this process's name, pid and parent for the test to find: one line in the folder PIDS, in one write. */
export function recordPid(name: string): void {
  appendFileSync(join(process.env['PIDS'] ?? '.', 'pids'), `${name} ${process.pid} ${process.ppid}\n`);
}
