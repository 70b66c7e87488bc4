import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { settingsEnvironment } from '#server/config/process-settings.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** A collector in a process of its own, as the supervisor starts it. */
export interface CollectorProcess {
  /** Kills it outright; resolves when it is gone. */
  kill(): Promise<void>;
  /** Asks it to end; gives its exit code. */
  end(): Promise<number | null>;
  /** Output at level error and above. */
  complaints(): readonly string[];
}

function settingsOf(configPath: string, directory: string): Readonly<Record<string, string>> {
  return settingsEnvironment({
    selection: { type: 'file', path: configPath },
    dataDirectory: directory,
    host: '127.0.0.1',
    port: 0,
    collectorPort: null,
    metricsPort: null,
    mode: 'start',
  });
}

const collectorProgram = `${root}/server/collector/main.ts`;

/** Starts the collector's main program over the store in `directory`; resolves when it says that it is ready. */
export function startCollectorProcess(configPath: string, directory: string): Promise<CollectorProcess> {
  return started(collectorProgram, [], settingsOf(configPath, directory));
}

/** Starts the same without waiting for it; `said` gives its log from level warn. */
export function runCollector(
  configPath: string,
  directory: string,
): Omit<CollectorProcess, 'complaints'> & { said(): string } {
  return run(collectorProgram, [], { ...settingsOf(configPath, directory), PLUMBLINE_LOG_LEVEL: 'warn' });
}

/** Starts a collector that runs on a fast clock, shared with the test. */
export function startFastCollectorProcess(
  configPath: string,
  directory: string,
  factor: number,
  startedAt: number,
): Promise<CollectorProcess> {
  return started(
    `${import.meta.dirname}/fast-collector.ts`,
    [configPath, directory, String(factor), String(startedAt)],
    {},
  );
}

async function started(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<CollectorProcess> {
  const { child, said, exited, kill, end } = run(program, args, { ...environment, PLUMBLINE_LOG_LEVEL: 'error' });
  await Promise.race([
    new Promise((resolve) => child.once('message', resolve)),
    exited.then((code) => {
      throw new Error(`the collector ended with ${code}: ${said()}`);
    }),
  ]);
  return {
    kill,
    end,
    complaints: () =>
      said()
        .split('\n')
        .filter((line) => line !== ''),
  };
}

function run(program: string, args: readonly string[], environment: Readonly<Record<string, string>>) {
  const child: ChildProcess = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let text = '';
  child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    child,
    exited,
    said: () => text,
    async kill(): Promise<void> {
      child.kill('SIGKILL');
      await exited;
    },
    end(): Promise<number | null> {
      child.send({ type: 'shutdown' });
      return exited;
    },
  };
}
