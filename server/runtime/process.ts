import { isForeignObject } from '#lib/foreign.ts';
import { exitCode } from './exit-code.ts';
import type { Log } from './log.ts';
import { whenParentEnds } from './parent.ts';

/** Time a child may take to end after it was asked to; its supervisor kills it at 4 s. */
const shutdownDeadlineMs = 3500;

export interface ChildDeps {
  readonly log: Log;
  /** Ends the work and keeps what is not yet stored. Called once. */
  onShutdown(): Promise<void>;
}

export interface ChildRuntime {
  /** Tells the supervisor that the work has begun, e.g. { url }. */
  ready(details?: { readonly [key: string]: string | number }): void;
}

/**
 * Ties the main program of one process to its supervisor. It ends on the message { type: 'shutdown' }, when the channel
 * closes, and on SIGTERM, SIGINT and SIGHUP: `onShutdown` runs, then the process exits with 0, after 3.5 s with 70.
 */
export function runAsChild({ log, onShutdown }: ChildDeps): ChildRuntime {
  let ending = false;

  function end(reason: string): void {
    if (ending) return;
    ending = true;
    log.info({ reason }, 'shutting down');
    setTimeout(() => {
      log.error({ reason }, 'shutdown took too long');
      process.exit(exitCode.software);
    }, shutdownDeadlineMs).unref();
    onShutdown().then(
      () => process.exit(exitCode.ok),
      (error: unknown) => {
        log.error({ err: error }, 'shutdown failed');
        process.exit(exitCode.software);
      },
    );
  }

  process.on('message', (message: unknown) => {
    if (isForeignObject(message) && message['type'] === 'shutdown') end('asked by the supervisor');
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => end(signal));
  whenParentEnds(() => end('the supervisor is gone'));

  return {
    ready: (details = {}) => {
      // A channel that closes meanwhile ends this process in order, as above: without a callback its fault would crash it.
      if (process.connected) process.send?.({ ...details, type: 'ready' }, undefined, undefined, () => undefined);
    },
  };
}
