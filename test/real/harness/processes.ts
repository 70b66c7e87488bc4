import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';

/** Options for starting one program. */
export interface ProcessSpec {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: { readonly [key: string]: string };
  readonly cwd?: string;
  /** Start again 2 s after an exit that nobody asked for, as a kubelet does. */
  readonly revive: boolean;
}

/** A program that runs, or ran. */
export interface BedProcess {
  readonly name: string;
  readonly logFile: string;
  pid(): number | null;
  /** Sends a signal, e.g. SIGSTOP; a revived program stays down after `kill` only. */
  signal(signal: NodeJS.Signals): void;
  /** Ends it at once (SIGKILL) and keeps it down until `start`. */
  kill(): Promise<void>;
  /** Ends it politely, by SIGKILL after 10 s, and keeps it down until `start`. */
  stop(): Promise<void>;
  start(args?: readonly string[]): void;
}

/** Everything that the bed started. */
export interface Processes {
  start(spec: ProcessSpec): BedProcess;
  /** Has this path removed when the bed is gone, in whatever way. */
  removeAtEnd(path: string): void;
  /** Ends every program and then the watchdog. */
  stop(): Promise<void>;
}

/** Starts the watchdog and gives the one way to start programs. Logs go to `logs`/NAME.log. */
export function startProcesses(logs: string): Processes {
  const watchdog = spawn(process.execPath, [join(import.meta.dirname, 'watchdog.ts')], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const tell = (line: string): void => void watchdog.stdin.write(`${line}\n`);
  const all: BedProcess[] = [];
  return {
    start(spec) {
      const started = startProcess(spec, join(logs, `${spec.name}.log`), tell);
      all.push(started);
      return started;
    },
    removeAtEnd: (path) => tell(`remove ${path}`),
    async stop() {
      await Promise.all(all.map((one) => one.kill()));
      watchdog.stdin.end();
      if (watchdog.exitCode === null) await once(watchdog, 'exit');
    },
  };
}

function startProcess(spec: ProcessSpec, logFile: string, tell: (line: string) => void): BedProcess {
  let child: ChildProcess | null = null;
  let args = spec.args;
  let wanted = false;

  function launch(): void {
    const log = openSync(logFile, 'a');
    // A process group of its own, so that Ctrl-C in a terminal reaches the runner first.
    const started = spawn(spec.command, args, {
      detached: true,
      stdio: ['ignore', log, log],
      env: { ...process.env, ...spec.env },
      ...(spec.cwd === undefined ? {} : { cwd: spec.cwd }),
    });
    closeSync(log);
    child = started;
    const { pid } = started;
    if (pid !== undefined) tell(`pid ${pid}`);
    started.once('error', () => undefined);
    started.once('exit', () => {
      if (pid !== undefined) tell(`gone ${pid}`);
      if (child === started) child = null;
      if (wanted && spec.revive) setTimeout(() => wanted && child === null && launch(), 2_000).unref();
    });
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    wanted = false;
    const running = child;
    if (running === null) return;
    const gone = once(running, 'exit');
    running.kill(signal);
    const force = setTimeout(() => running.kill('SIGKILL'), 10_000);
    await gone;
    clearTimeout(force);
  }

  const self: BedProcess = {
    name: spec.name,
    logFile,
    pid: () => child?.pid ?? null,
    signal: (signal) => void child?.kill(signal),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    start(changed) {
      if (changed !== undefined) args = changed;
      wanted = true;
      if (child === null) launch();
    },
  };
  self.start();
  return self;
}
