import { wholeScope } from '#lib/domain/access/scope.ts';
import { alarmBook } from '#lib/domain/alarm/alarm-book.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { day } from '#lib/domain/time/length.ts';
import type { Clock } from '#server/runtime/clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { openAccess } from '#server/web/access/access.ts';
import { linkList } from '#server/web/embeds/link-list.ts';
import { startWeb, type WebDeps } from '#server/web/start-web.ts';
import { sqliteStore } from '#server/web/cache/store-source.ts';

/** Parameters of a question to the API. */
export type Query = Readonly<Record<string, string>>;

/** The API over a store, without pages. */
export type RunningApi = Awaited<ReturnType<typeof startApi>>;

/** Starts it over the store at `path`; throws where no port is free. */
export async function startApi(
  path: string,
  clock: Clock,
  { policy = defaultPolicy, gitSocket = '/nowhere/ask.sock' }: Partial<Pick<WebDeps, 'policy' | 'gitSocket'>> = {},
) {
  const web = await startWeb({
    alarms: alarmBook(),
    host: '127.0.0.1',
    port: 0,
    metricsPort: null,
    pod: null,
    ...sqliteStore(path, silentLog),
    policy,
    retention: { spans: 400 * day, messages: 30 * day },
    repositories: [],
    pairs: [],
    gitSocket,
    embeds: { keys: null, frameAncestors: [], readersSign: null },
    links: linkList('/nowhere/links.db'),
    publicUrl: null,
    access: openAccess,
    simulated: true,
    clock,
    log: silentLog,
    mountPages: null,
  });
  if (web.type === 'refused') throw new Error(web.message);
  const { port, follower, worlds, stop } = web;

  /** The text of an answer; what is refused throws with its body. */
  async function text(place: string, query: Query = {}): Promise<string> {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${place}?${new URLSearchParams(query)}`);
    const body = await answer.text();
    if (!answer.ok) throw new Error(`${answer.url}: ${body}`);
    return body;
  }

  const ask = async (place: string, query: Query = {}): Promise<unknown> => JSON.parse(await text(place, query));
  return { follower, text, ask, runtime: worlds.of(wholeScope).runtime, stop };
}
