/**
 * Ends what the bed started when the bed itself is gone, however it went: it runs as a process of its own and reads
 * standard input, which closes with the bed. Lines: `pid N`, `gone N` (ended already), `remove PATH`.
 */
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';

const alive = new Set<number>();
const paths = new Set<string>();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

for await (const line of createInterface({ input: process.stdin })) {
  const [word = '', ...rest] = line.split(' ');
  const argument = rest.join(' ');
  if (word === 'pid') alive.add(Number(argument));
  if (word === 'gone') alive.delete(Number(argument));
  if (word === 'remove') paths.add(argument);
}

for (const pid of alive) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    alive.delete(pid);
  }
}
for (const path of paths) rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
