import { z } from 'zod';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { until } from '#server/collector/clusters/testing/until.ts';
import type { Clock } from '#server/runtime/clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { startWeb } from '#server/web/start-web.ts';
import { sqliteSource } from '#server/web/store-source.ts';

type Query = Readonly<Record<string, string>>;

/** The API over HTTP. What is refused throws with the body of the answer. */
export interface Answers {
  text(path: string, query: Query): Promise<string>;
  ask(path: string, query: Query): Promise<unknown>;
  /** Every page of a list, one after the other. */
  askAll(path: string, query: Query): Promise<readonly unknown[]>;
  stop(): Promise<void>;
}

const NextPage = z.object({ nextCursor: z.string().nullable() });

/** Time stands, and what waits is done after as long as it takes. */
function standing(at: number): Clock {
  return {
    now: () => at,
    after(delay, task) {
      const handle = setTimeout(task, delay);
      return { cancel: () => clearTimeout(handle) };
    },
  };
}

/** Serves the store at `path` as at `now` (ms), which stands. */
export async function answersOf(path: string, now: number): Promise<Answers> {
  const web = await startWeb({
    host: '127.0.0.1',
    port: 0,
    source: sqliteSource(path),
    policy: defaultPolicy,
    retention: { spans: 1, messages: 1 },
    repositories: [],
    embeds: { keys: null, frameAncestors: [] },
    simulated: true,
    clock: standing(now),
    log: silentLog,
    mountPages: null,
  });
  if (web.type === 'refused') throw new Error(web.message);
  const origin = `http://127.0.0.1:${web.port}`;
  await until('the store to be read', () => web.follower.synced());

  async function text(place: string, query: Query): Promise<string> {
    const answer = await fetch(`${origin}/api/v1/${place}?${new URLSearchParams(query)}`);
    const body = await answer.text();
    if (!answer.ok) throw new Error(`${answer.url}: ${body}`);
    return body;
  }

  async function ask(place: string, query: Query): Promise<unknown> {
    return JSON.parse(await text(place, query));
  }

  /** Every page of a list, one after the other. */
  async function askAll(place: string, query: Query): Promise<readonly unknown[]> {
    const pages: unknown[] = [];
    let cursor = '';
    do {
      const page = await ask(place, { ...query, limit: '1000', cursor });
      pages.push(page);
      cursor = NextPage.parse(page).nextCursor ?? '';
    } while (cursor !== '');
    return pages;
  }

  return { text, ask, askAll, stop: web.stop };
}
