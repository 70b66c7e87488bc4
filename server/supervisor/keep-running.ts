import { type ChildProcess, fork } from 'node:child_process';
import { type ForeignObject, isForeignObject } from '#lib/foreign.ts';
import type { Clock, Timer } from '#server/runtime/clock.ts';
import { isFinal } from '#server/runtime/exit-code.ts';
import { inheritedEnvironment } from './child-environment.ts';
import type { ChildNews, ChildSpec } from './child-spec.ts';
import { recoveredAfterMs, restartDelay } from './restart-delay.ts';

/** Time a child may take to end after the message before it is killed. */
const killAfterMs = 4000;

export type KeptChild = ReturnType<typeof keepRunning>;

/** Starts one child and starts it again when it crashes, more and more slowly. */
export function keepRunning(spec: ChildSpec, clock: Clock, emit: (news: ChildNews) => void) {
  let child: ChildProcess | null = null;
  let restart: Timer | null = null;
  let crashes = 0;
  let stopping = false;
  let gone: () => void = () => undefined;

  function start(): void {
    const startedAt = clock.now();
    restart = null;
    child = fork(spec.program, [...spec.args], {
      env: { NODE_ENV: 'production', ...inheritedEnvironment(process.env, spec.inherits), ...spec.environment },
      execArgv: [...process.execArgv, ...spec.nodeFlags],
      // Standard output is for results, and a child has none: Next would say there how long its start took.
      stdio: ['ignore', 2, 2, 'ipc'],
    });
    child.on('message', (message: unknown) => {
      if (isReady(message)) emit({ type: 'ready', name: spec.name, details: message });
    });
    // Both come where a child cannot even be started; the first one counts.
    child.once('error', () => ended(null, null, startedAt));
    child.once('exit', (code, signal) => ended(code, signal, startedAt));
    if (child.pid !== undefined) emit({ type: 'started', name: spec.name, pid: child.pid });
  }

  function ended(code: number | null, signal: string | null, startedAt: number): void {
    if (child === null) return;
    child = null;
    gone();
    if (stopping) return;
    if (code !== null && isFinal(code)) {
      emit({ type: 'refused', name: spec.name, code });
      return;
    }
    crashes = clock.now() - startedAt >= recoveredAfterMs ? 1 : crashes + 1;
    const restartIn = restartDelay(crashes);
    restart = clock.after(restartIn, start);
    emit({ type: 'crashed', name: spec.name, code, signal, restartIn });
  }

  start();
  return {
    /** Asks the child to end, kills it after 4 s; resolves when it is gone. */
    async stop(): Promise<void> {
      stopping = true;
      restart?.cancel();
      const running = child;
      if (running === null) return;
      const end = new Promise<void>((resolve) => {
        gone = resolve;
      });
      // The closing channel ends a child that knows no messages.
      if (running.connected) running.send({ type: 'shutdown' }, () => running.connected && running.disconnect());
      else running.kill('SIGTERM');
      const kill = clock.after(killAfterMs, () => running.kill('SIGKILL'));
      await end;
      kill.cancel();
    },
  };
}

function isReady(message: unknown): message is ForeignObject {
  return isForeignObject(message) && (message['type'] === 'ready' || message['ready'] === true);
}
