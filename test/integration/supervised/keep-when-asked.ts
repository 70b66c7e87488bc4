import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLog } from '#server/runtime/log.ts';
import { runAsChild, type ChildRuntime } from '#server/runtime/process.ts';

/** Works until it is asked to end, and then keeps what it holds: the test finds a file of it in the folder PIDS. */
export function keepWhenAsked(): ChildRuntime {
  const work = setInterval(() => undefined, 1000);
  return runAsChild({
    log: silentLog,
    onShutdown: async () => {
      clearInterval(work);
      await new Promise((resolve) => setTimeout(resolve, 50));
      writeFileSync(join(process.env['PIDS'] ?? '.', `kept-${process.pid}`), 'kept');
    },
  });
}
