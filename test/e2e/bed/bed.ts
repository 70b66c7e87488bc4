import { fleetApi } from '#lib/api/fleet.ts';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { textAt } from '#lib/foreign.ts';
import { fleetPrograms } from '#server/cli/serving/run-fleet.ts';
import type { ChildSpec } from '#server/supervisor/child-spec.ts';
import { launchBrowser } from '#test/browser.ts';
import { FleetWord, NumberedOrder, type WrittenOrder } from './orders.ts';
import { openWatched, type Watched, type WatchedOptions } from './watched.ts';
import { startProgram, type RunningProgram } from './program.ts';
import { until } from './until.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** The built app over a simulated fleet of 14 clusters, every process a real one, and a browser to look at it. */
export interface Bed {
  /** http://127.0.0.1:port */
  readonly url: string;
  readonly browser: Browser;
  /** The store's folder. */
  readonly dataDirectory: string;
  /** Opens a page in a context of its own and watches what it does. */
  open(path: string, options?: WatchedOptions): Promise<Watched>;
  /** Makes something happen in the fleet; resolves when it has happened there. */
  order(what: WrittenOrder): Promise<void>;
  /** An answer of the API, parsed. */
  ask(path: string): Promise<unknown>;
  /** Output of all processes. */
  logs(): string;
  /** Kills a process as the kernel does when memory runs out. Nothing starts it again. */
  kill(name: 'web' | 'collector'): Promise<void>;
  /** Halts the git process where it is, as a disk that does not answer does, or lets it go on. */
  halt(name: 'git', halted: boolean): void;
  /** Starts the pages again where they were. */
  startWebAgain(): Promise<void>;
  stop(): Promise<void>;
}

export interface BedOptions {
  /** Orders carried out before anything is read. */
  readonly before?: readonly WrittenOrder[];
  /** Level of the log of collector and web. */
  readonly logLevel?: 'debug' | 'warn';
}

/** Starts a bed and waits until every cluster that can be read was read. */
export async function makeBed({ before = [], logLevel = 'warn' }: BedOptions = {}): Promise<Bed> {
  if (!existsSync(join(root, '.next', 'BUILD_ID')))
    throw new Error('The pages are not built: `npm test` builds them, or once `node scripts/run.mjs demo`.');
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-e2e-'));
  const dataDirectory = join(folder, 'data');
  const started: RunningProgram[] = [];
  const browser = await launchBrowser();

  async function start(spec: ChildSpec): Promise<RunningProgram> {
    const running = await startProgram(spec);
    started.push(running);
    return running;
  }

  async function stop(): Promise<void> {
    await browser.close();
    await Promise.all(started.map((one) => one.end('SIGKILL')));
    await rm(folder, { recursive: true, force: true });
  }

  try {
    const fleet = await start({
      name: 'fleet',
      program: join(import.meta.dirname, 'fleet-program.ts'),
      args: [join(folder, 'fleet'), '1'],
      nodeFlags: [],
      inherits: [],
      environment: { PLUMBLINE_LOG_LEVEL: 'error' },
    });
    const word = FleetWord.parse(fleet.ready);
    if (!('configPath' in word)) throw new Error('the fleet did not say where its configuration is');
    await makePatient(word.configPath);
    const order = ordersTo(fleet);
    for (const what of before) await order(what);
    const { configPath } = word;
    let port = 0;

    async function startOne(name: string): Promise<RunningProgram> {
      const programs = await fleetPrograms({
        selection: { type: 'file', path: configPath },
        dataDirectory,
        host: '127.0.0.1',
        port,
        collectorPort: null,
        metricsPort: null,
        mode: 'demo',
      });
      const spec = programs.find((one) => one.name === name);
      if (!spec) throw new Error(`there is no program ${name}`);
      return start({ ...spec, environment: { ...spec.environment, PLUMBLINE_LOG_LEVEL: logLevel } });
    }

    const [collector, firstWeb, git] = await Promise.all([startOne('collector'), startOne('web'), startOne('git')]);
    let web = firstWeb;
    const url = textAt(web.ready, 'url') ?? '';
    port = Number(new URL(url).port);
    const ask = async (path: string): Promise<unknown> => (await fetch(`${url}${path}`)).json();
    await untilRead(ask, before.filter(({ order: name }) => name === 'lose').length);
    return {
      url,
      browser,
      dataDirectory,
      open: (path, options) => openWatched(browser, url, path, options),
      order,
      ask,
      logs: () => started.map((one) => one.written()).join('\n'),
      kill: (name) => (name === 'web' ? web : collector).end('SIGKILL'),
      halt: (_name, halted) => void git.process.kill(halted ? 'SIGSTOP' : 'SIGCONT'),
      async startWebAgain() {
        web = await startOne('web');
      },
      stop,
    };
  } catch (error) {
    const logs = started.map((one) => one.written()).join('\n');
    await stop();
    throw new Error(`the bed could not be made; its programs wrote:\n${logs}`, { cause: error });
  }
}

/** So that what waits stays waiting, and is not behind after two minutes, however slow the machine is; a commit is mirrored soon. */
async function makePatient(configPath: string): Promise<void> {
  const written = await readFile(configPath, 'utf8');
  await writeFile(
    configPath,
    `${written.replace('behindAfter: 2m', 'behindAfter: 1h').replace('url: file:', 'url: https://github.com/acme/fleet\n    from: file:').trimEnd()}\ngit: { every: 10s }\n`,
  );
}

/** Waits until all clusters but `lost` of them are live. */
function untilRead(ask: Bed['ask'], lost: number): Promise<void> {
  const live = async () => JSON.stringify(await ask(fleetApi.path)).match(/"state":"live"/g)?.length ?? 0;
  return until(`${14 - lost} clusters to be read`, async () => (await live()) >= 14 - lost, 90_000, 250);
}

function ordersTo(fleet: RunningProgram): Bed['order'] {
  let last = 0;
  return (what) => {
    last += 1;
    const order = NumberedOrder.parse({ id: last, what });
    return new Promise((resolve, reject) => {
      function receive(message: unknown): void {
        const word = FleetWord.parse(message);
        if ('done' in word && word.done === order.id) resolve();
        else if ('failed' in word && word.failed === order.id) reject(new Error(word.why));
        else return;
        fleet.process.off('message', receive);
      }
      fleet.process.on('message', receive);
      fleet.process.send(order);
    });
  };
}
