import { type ChildProcess, fork } from 'node:child_process';
import { inheritedEnvironment } from '#server/supervisor/child-environment.ts';
import type { ChildSpec } from '#server/supervisor/child-spec.ts';

/** A program that runs in a process of its own and ends with this one. */
export interface RunningProgram {
  readonly process: ChildProcess;
  /** The message with which it said that it is ready. */
  readonly ready: unknown;
  /** Everything that it has written so far. */
  written(): string;
  /** Ends it with a signal and waits until it is gone. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

/** Starts a program as the supervisor does, but once; resolves when it says that it is ready. */
export async function startProgram(spec: ChildSpec): Promise<RunningProgram> {
  const { name, program, args, nodeFlags, inherits, environment } = spec;
  const child = fork(program, [...args], {
    execArgv: [...process.execArgv, ...nodeFlags],
    env: { ...inheritedEnvironment(process.env, inherits), NODE_ENV: 'production', ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let written = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      written += chunk.toString();
    });
  }
  const gone = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  const ready = await new Promise<unknown>((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code} before it was ready:\n${written}`)));
  });
  return {
    process: child,
    ready,
    written: () => written,
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await gone;
    },
  };
}
