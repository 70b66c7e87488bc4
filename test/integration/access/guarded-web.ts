import { writeFile } from 'node:fs/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseConfig } from '#server/config/load-config.ts';
import type { AuthSettings } from '#server/config/access/auth-settings.ts';
import type { FakeClock } from '#server/runtime/fake-clock.ts';
import { type Log, silentLog } from '#server/runtime/log.ts';
import { access } from '#server/web/access/access.ts';
import { type AccessBook, accessBook, accessBookFile } from '#server/web/access/access-book.ts';
import { sessionKeyPath, headOfSessionKeys } from '#server/web/access/session-keys.ts';
import { keyRing, makeFirstKey } from '#server/web/embeds/key-file.ts';
import type { PageMount } from '#server/web/request-handler.ts';
import { pageVisit } from '#server/web/runtime-global.ts';
import { memoryStore } from '#server/web/testing/memory-reader.ts';
import { type RunningWeb, runningWeb } from '#server/web/testing/running-web.ts';
import { clientId, clientSecret } from './openid.ts';

/** A web process that asks who comes. */
export interface GuardedWeb {
  readonly web: RunningWeb;
  readonly book: AccessBook;
  /** Path of the keys of sessions. */
  readonly keys: string;
  /** Lines of the log. */
  readonly logged: readonly object[];
  stop(): Promise<void>;
}

export const publicUrl = 'https://plumbline.example.org';

/** Settings from the text of `auth` in plumbline.yaml. */
export function authOf(yaml: string, folder: string): AuthSettings {
  const loaded = parseConfig(
    `publicUrl: ${publicUrl}\nclusters: [{ directory: /nowhere }]\nauth:\n${yaml.replaceAll(/^/gm, '  ')}`,
    folder,
  );
  if (loaded.type === 'invalid') throw new Error(JSON.stringify(loaded.problems));
  if (loaded.config.auth === null) throw new Error('no auth');
  return loaded.config.auth;
}

/** `oidc` of plumbline.yaml for a provider. */
export function oidcOf(issuer: string, more = ''): string {
  return `oidc:\n  issuer: ${issuer}\n  clientId: ${clientId}\n  clientSecretFile: ./secret\n${more}`;
}

/** Pages that say for whom they are made. */
const pages: PageMount = {
  handle: async (_request, response) => {
    const { viewer, accesses } = pageVisit();
    response.setHeader('Content-Type', 'application/json');
    response.end(
      JSON.stringify({
        viewer,
        accesses: accesses?.().map(({ subject, path, status }) => [subject, path, status]) ?? null,
      }),
    );
  },
  close: () => Promise.resolve(),
};

/** Starts one, in a folder of its own. */
export async function guardedWeb(yaml: string): Promise<GuardedWeb> {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-access-'));
  await writeFile(join(folder, 'secret'), `${clientSecret}\n`);
  const keys = sessionKeyPath(folder);
  await makeFirstKey(keys, 0, headOfSessionKeys);
  const book = accessBook(join(folder, accessBookFile));
  const auth = authOf(yaml, folder);
  const logged: object[] = [];
  const note = (data: object, message: string): void => void logged.push({ ...data, message });
  const log: Log = { ...silentLog, info: note, warn: note };
  const accessOf = (clock: FakeClock) => access({ auth, book, keys: keyRing(keys), publicUrl, clock, log });
  const web = await runningWeb(pages, {}, memoryStore(), publicUrl, accessOf);
  return {
    web,
    book,
    keys,
    logged,
    async stop() {
      await web.stop();
      await rm(folder, { recursive: true });
    },
  };
}
