import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { wholeScope } from '#lib/domain/access/scope.ts';
import type { Viewer } from '#lib/domain/access/viewer.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { day } from '#lib/domain/time/length.ts';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import type { EmbedSettings } from '#server/config/schema.ts';
import type { FakeClock } from '#server/runtime/fake-clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { type Access, openAccess } from '../access/access.ts';
import { linkList, linkListFile } from '../embeds/link-list.ts';
import type { PageMount } from '../request-handler.ts';
import { withPage } from '../runtime-global.ts';
import { startWeb, type WebDeps } from '../start-web.ts';
import type { MemoryStore } from './memory-reader.ts';
import { memoryStore } from './memory-reader.ts';
import { openPastHere } from './past-here.ts';
import { sampleNow } from './sample.ts';

/** A web process on a free port of loopback over a store in memory, its time standing still. */
export interface RunningWeb {
  readonly store: MemoryStore;
  readonly clock: FakeClock;
  readonly origin: string;
  /** Where it serves this machine alone. */
  readonly ownOrigin: string;
  /** Where it keeps the links that it signs. */
  readonly dataDirectory: string;
  /** Moves the time, then lets everything that became due run to its end. */
  advance(ms: number): Promise<void>;
  get(path: string, init?: RequestInit): Promise<Response>;
  /** Runs the making of a page for who sees everything. */
  page<T>(make: () => T): T;
  /** Text of its metrics. */
  scrape(): Promise<string>;
  stop(): Promise<void>;
}

/** Starts it; `pages` answers what is not the API's. Readers may sign links where nothing else is said. Throws where no port is free. */
export async function runningWeb(
  pages: PageMount | null = null,
  embeds: Partial<EmbedSettings> = {},
  store: MemoryStore = memoryStore(),
  publicUrl: string | null = null,
  accessOf: (clock: FakeClock) => Access = () => openAccess,
  { gitSocket = '/nowhere/ask.sock', pairs = [] }: Partial<Pick<WebDeps, 'gitSocket' | 'pairs'>> = {},
): Promise<RunningWeb> {
  const clock = fakeClock(sampleNow);
  const dataDirectory = await mkdtemp(join(tmpdir(), 'plumbline-web-'));
  const web = await startWeb({
    host: '127.0.0.1',
    port: 0,
    metricsPort: 0,
    pod: null,
    source: store.source,
    alarms: { ...store.alarms, apply: () => undefined, clear: () => undefined },
    openPast: (opened, settings) => openPastHere(opened, settings, clock),
    policy: defaultPolicy,
    retention: { spans: 400 * day, messages: 30 * day },
    repositories: [],
    pairs,
    gitSocket,
    embeds: { keys: null, frameAncestors: [], readersSign: 400, ...embeds },
    publicUrl,
    access: accessOf(clock),
    links: linkList(join(dataDirectory, linkListFile)),
    simulated: true,
    clock,
    log: silentLog,
    mountPages: pages ? () => Promise.resolve(pages) : null,
  });
  if (web.type === 'refused') throw new Error(web.message);
  const origin = `http://127.0.0.1:${web.port}`;
  const ownOrigin = `http://127.0.0.1:${web.metricsPort}`;

  async function settle(): Promise<void> {
    for (let n = 0; n < 5; n += 1) await turn();
  }

  await settle();
  return {
    store,
    clock,
    origin,
    ownOrigin,
    dataDirectory,
    async advance(ms) {
      // In steps, so that the follower's next turn, set only when the last one ended, is never skipped.
      for (let left = ms; left > 0; left -= 100) {
        clock.advance(Math.min(100, left));
        await settle();
      }
    },
    get: (path, init) => fetch(`${origin}${path}`, init),
    page(make) {
      const response = new ServerResponse(new IncomingMessage(new Socket()));
      return withPage({ response, runtime: web.worlds.of(wholeScope).runtime }, make);
    },
    scrape: async () => (await fetch(`${ownOrigin}/metrics`)).text(),
    async stop() {
      await web.stop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** Access where each request says by itself who asks. */
export function accessOfViewers(viewerOf: (request: IncomingMessage) => Viewer): () => Access {
  return () => ({
    ...openAccess,
    askWho: (request) => Promise.resolve({ type: 'viewer', viewer: viewerOf(request), session: null }),
  });
}
