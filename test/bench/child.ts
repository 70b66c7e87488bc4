import { fork } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isForeignObject, type ForeignObject } from '#lib/foreign.ts';
import { usageOf, type ProcessUsage } from './process-usage.ts';

const root = join(import.meta.dirname, '../..');
/** Time a child may take to end after SIGTERM (ms). */
const patience = 8_000;

/** One program of the benchmark, in a process of its own. It ends with its parent: its channel closes then. */
export interface BenchChild {
  readonly pid: number;
  usage(): ProcessUsage;
  tell(message: object): void;
  /** The next message of a `type` (and `number`, where one is given); rejects where the child ends or `within` ms pass. */
  receive(type: string, within: number, number?: number): Promise<ForeignObject>;
  stop(): Promise<void>;
}

/** Process to start. */
export interface ChildOptions {
  /** Below the project's root. */
  readonly program: string;
  readonly args?: readonly string[];
  readonly environment?: { readonly [name: string]: string };
  /** Of Node itself. */
  readonly nodeArgs?: readonly string[];
  /** Where what it says is kept. */
  readonly directory: string;
}

const running = new Set<BenchChild>();
let started = 0;

/** The messages of a child that nobody has asked for yet. */
interface Mailbox {
  put(message: ForeignObject): void;
  /** The next message that `passes`; rejects where the child ends or `within` ms pass. `wanted` names it in the error. */
  take(passes: (message: ForeignObject) => boolean, within: number, wanted: string): Promise<ForeignObject>;
}

/** `ended` resolves to how the child ended; `lastWords` reads the end of its log. */
function createMailbox(program: string, ended: Promise<string>, lastWords: () => string): Mailbox {
  const listeners = new Set<() => void>();
  const unheard: ForeignObject[] = [];

  function takeNow(passes: (message: ForeignObject) => boolean): ForeignObject | null {
    const index = unheard.findIndex(passes);
    return index < 0 ? null : (unheard.splice(index, 1)[0] ?? null);
  }

  return {
    put(message) {
      unheard.push(message);
      for (const listener of listeners) listener();
    },
    take(passes, within, wanted) {
      return new Promise((resolve, reject) => {
        const known = takeNow(passes);
        if (known) return resolve(known);
        const leave = (): void => {
          clearTimeout(timer);
          listeners.delete(listen);
        };
        const timer = setTimeout(() => {
          leave();
          reject(new Error(`${program} did not say ${wanted} within ${within} ms; ${lastWords()}`));
        }, within);
        const listen = (): void => {
          const found = takeNow(passes);
          if (!found) return;
          leave();
          resolve(found);
        };
        listeners.add(listen);
        void ended.then((how) => {
          leave();
          reject(new Error(`${how}; ${lastWords()}`));
        });
      });
    },
  };
}

/** Starts a program of this project. */
export function startChild({
  program,
  args = [],
  environment = {},
  nodeArgs = [],
  directory,
}: ChildOptions): BenchChild {
  const logFile = join(directory, `${basename(program, '.ts')}-${(started += 1)}.log`);
  const log = openSync(logFile, 'w');
  const child = fork(join(root, program), args, {
    cwd: root,
    env: { ...process.env, PLUMBLINE_LOG_LEVEL: 'warn', ...environment },
    execArgv: [...nodeArgs],
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  let isOver = false;
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      isOver = true;
      resolve(`${program} ended (${signal ?? code})`);
    });
  });
  const mailbox = createMailbox(program, ended, () => readFileSync(logFile, 'utf8').slice(-2_000));
  child.on('error', () => undefined);
  child.on('message', (message: unknown) => {
    if (isForeignObject(message)) mailbox.put(message);
  });

  const handle: BenchChild = {
    pid: child.pid ?? 0,
    usage: () => usageOf(child.pid ?? 0),
    tell: (message) => void child.send(message),
    receive: (type, within, number) =>
      mailbox.take(
        (message) => message['type'] === type && (number === undefined || message['number'] === number),
        within,
        type,
      ),
    async stop() {
      running.delete(handle);
      if (isOver) return;
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), patience);
      await ended;
      clearTimeout(timer);
    },
  };
  running.add(handle);
  return handle;
}

/** Ends every child that still runs. */
export async function stopAllChildren(): Promise<void> {
  await Promise.all([...running].map((child) => child.stop()));
}
