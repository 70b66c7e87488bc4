import type { IncomingMessage } from 'node:http';
import type { AlarmBook } from '#lib/domain/alarm/alarm-book.ts';
import { type Grant, wholeScope, type ViewScope } from '#lib/domain/access/scope.ts';
import { anybody, type Viewer } from '#lib/domain/access/viewer.ts';
import { newKey, writeKeyFile } from '#server/web/embeds/key-file.ts';
import type { PageMount } from '#server/web/request-handler.ts';
import { memoryStore, type MemoryStore } from '#server/web/testing/memory-reader.ts';
import { accessOfViewers, type RunningWeb, runningWeb } from '#server/web/testing/running-web.ts';
import { sampleNow } from '#server/web/testing/sample.ts';
import { canaryAlarms, canaryCalls } from './canary-alarms.ts';
import { fillWithCanaries } from './canary-fleet.ts';
import { serveCanaryGit } from './canary-git.ts';
import { apps, canaries, type Canary, here, ops } from './canary-words.ts';

const scopeOf = (grant: Partial<Grant>): ViewScope => ({
  type: 'grants',
  grants: [{ clusters: null, labels: {}, namespaces: null, ...grant }],
});

/** Viewers, by what they see. */
export const viewers = {
  whole: wholeScope,
  cluster: scopeOf({ clusters: [here] }),
  label: scopeOf({ labels: { environment: 'production' } }),
  namespace: scopeOf({ clusters: [here], namespaces: [apps] }),
  otherNamespace: scopeOf({ clusters: [here], namespaces: [ops] }),
  everywhere: scopeOf({ namespaces: [apps] }),
} as const;
export type ViewerName = keyof typeof viewers;

/** The words that lie outside of what each of them sees. */
export const outside: Readonly<Record<ViewerName, readonly Canary[]>> = {
  whole: [],
  cluster: [canaries.elsewhere],
  label: [canaries.elsewhere],
  namespace: [canaries.elsewhere, canaries.beside],
  otherNamespace: [canaries.elsewhere, canaries.home],
  everywhere: [canaries.beside],
};

/** Those who see a part. */
export const partial = ['cluster', 'label', 'namespace', 'otherNamespace', 'everywhere'] as const;

/** All that an answer tells of what lies outside, with the words around it; what it repeats of its question left out. */
export function leaksIn(name: ViewerName, address: string, body: string): readonly string[] {
  const { pathname, searchParams } = new URL(address, 'http://plumbline');
  const words = [...pathname.split('/').map(decodeURIComponent), ...searchParams.values()];
  // The whole before its parts.
  const asked = words.flatMap((word) => [word, ...word.split(',')]);
  const said = asked.filter((word) => word.includes('canary')).reduce((text, word) => text.replaceAll(word, ''), body);
  return outside[name].flatMap((canary) =>
    said
      .split(canary)
      .slice(0, 20)
      .map((before, at, pieces) => `${before.slice(-160)}${canary}${pieces[at + 1]?.slice(0, 60) ?? ''}`)
      .slice(0, -1)
      .map((around) => `${address}: ${around}`),
  );
}

function viewerOf({ headers }: IncomingMessage): Viewer {
  const names: readonly ViewerName[] = ['whole', ...partial];
  const name = names.find((one) => one === headers['x-viewer']) ?? 'whole';
  const roles = headers['x-role'] === 'viewer' ? new Set(['viewer'] as const) : anybody.roles;
  return { ...anybody, roles, scope: viewers[name] };
}

/** A web process over the whole of the canaries, that believes who a request says it is. */
export interface CanaryWeb {
  readonly web: RunningWeb;
  readonly store: MemoryStore;
  readonly alarms: AlarmBook;
  ask(name: ViewerName, path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  stop(): Promise<void>;
}

/** An answer, whole. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly type: string;
}

/** Starts it; `pages` answers what is not the API's, and `keys` is where the keys of links are to be kept. */
export async function canaryWeb({
  pages = null,
  keys = null,
}: { readonly pages?: PageMount | null; readonly keys?: string | null } = {}): Promise<CanaryWeb> {
  const store = memoryStore();
  fillWithCanaries(store);
  store.keep({ calls: canaryCalls });
  const alarms = canaryAlarms();
  const git = await serveCanaryGit();
  if (keys !== null) await writeKeyFile(keys, [newKey(sampleNow)]);
  const pairs = Object.values(canaries).map((canary) => ({
    repository: null,
    left: `clusters/${canary}`,
    right: `clusters/${canary}/right`,
  }));
  const told = { gitSocket: git.socket, pairs };
  const web = await runningWeb(pages, { keys }, { ...store, alarms }, null, accessOfViewers(viewerOf), told);
  await web.advance(5_000);
  return {
    web,
    store,
    alarms,
    async ask(name, path, headers = {}) {
      const answer = await web.get(path, { headers: { 'x-viewer': name, ...headers } });
      return { status: answer.status, body: await answer.text(), type: answer.headers.get('content-type') ?? '' };
    },
    async stop() {
      await web.stop();
      await git.stop();
    },
  };
}
