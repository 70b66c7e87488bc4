// Ends when it is asked to, after having kept what it holds.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLog } from '#server/runtime/log.ts';
import { runAsChild } from '#server/runtime/process.ts';
import { recordPid } from './record-pid.ts';

const folder = process.env['PIDS'] ?? '.';
const work = setInterval(() => undefined, 1000);
const runtime = runAsChild({
  log: silentLog,
  onShutdown: async () => {
    clearInterval(work);
    await new Promise((resolve) => setTimeout(resolve, 50));
    writeFileSync(join(folder, `kept-${process.pid}`), 'kept');
  },
});
recordPid('honest');
runtime.ready();
