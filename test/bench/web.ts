import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fleetApi, WireFleet } from '#lib/api/fleet.ts';
import { textAt } from '#lib/foreign.ts';
import { startChild, type BenchChild } from './child.ts';
import { httpGet, type Answer } from './http-get.ts';

/** A web process that shows everything it should. Times in ms since its process was started. */
export interface BenchWeb {
  readonly child: BenchChild;
  readonly url: string;
  /** True if the pages are mounted; where the checkout was not built, only the API answers. */
  readonly pages: boolean;
  /** Until the API gave the first answer with every object in it. */
  readonly correctAfter: number;
  /** Until the first page came that was made after that; null without pages. */
  readonly pageAfter: number | null;
  stop(): Promise<void>;
}

/** True if the pages were built. */
export function pagesAreBuilt(): boolean {
  return existsSync(join(import.meta.dirname, '../../.next/BUILD_ID'));
}

/** Starts the web process over a store and waits until it shows `objects` objects. Bounded: 60 s and 0.2 ms an object. */
export async function startBenchWeb(options: {
  readonly configPath: string;
  readonly data: string;
  readonly objects: number;
  readonly directory: string;
  /** Of Node itself. */
  readonly nodeArgs?: readonly string[];
}): Promise<BenchWeb> {
  const { configPath, data, objects, directory, nodeArgs = [] } = options;
  const pages = pagesAreBuilt();
  const since = performance.now();
  const child = startChild({
    program: pages ? 'server/web/main.ts' : 'test/bench/web-alone.ts',
    environment: { PLUMBLINE_CONFIG: configPath, PLUMBLINE_DATA: data, PORT: '0', NODE_ENV: 'production' },
    nodeArgs,
    directory,
  });
  const url = textAt(await child.receive('ready', 60_000), 'url') ?? '';
  const deadline = performance.now() + 60_000 + objects / 5;
  while ((await httpGet(`${url}/readyz`)).status !== 200) await beforeLong(deadline);
  while (objectsIn(await httpGet(url + fleetApi.path)) !== objects) await beforeLong(deadline);
  const correctAfter = performance.now() - since;
  const page = pages ? await httpGet(`${url}/`) : null;
  if (page && page.status !== 200) throw new Error(`the first page came as HTTP ${page.status}`);
  const pageAfter = page ? performance.now() - since : null;
  return { child, url, pages, correctAfter, pageAfter, stop: () => child.stop() };
}

async function beforeLong(deadline: number): Promise<void> {
  if (performance.now() > deadline) throw new Error('the web process does not show all objects in time');
  await wait(10);
}

function objectsIn(answer: Answer): number | null {
  return answer.status === 200 ? WireFleet.parse(JSON.parse(answer.text())).summary.objects : null;
}
