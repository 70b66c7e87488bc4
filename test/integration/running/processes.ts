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

/** Starts the collector's main program over the store in `directory`; resolves when it says that it is ready. */
export function startCollectorProcess(configPath: string, directory: string): Promise<CollectorProcess> {
  const settings = {
    selection: { type: 'file' as const, path: configPath },
    dataDirectory: directory,
    host: '127.0.0.1',
    port: 0,
    collectorPort: null,
    mode: 'start' as const,
  };
  return started(`${root}/server/collector/main.ts`, [], settingsEnvironment(settings));
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
  const child: ChildProcess = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, ...environment, PLUMBLINE_LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await Promise.race([
    new Promise((resolve) => child.once('message', resolve)),
    exited.then((code) => {
      throw new Error(`the collector ended with ${code}: ${said}`);
    }),
  ]);
  return {
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    end() {
      child.send({ type: 'shutdown' });
      return exited;
    },
    complaints: () => said.split('\n').filter((line) => line !== ''),
  };
}
