import { join } from 'node:path';
import type { AuthSettings } from '#server/config/access/auth-settings.ts';
import { systemClock } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import { access, type Access } from './access.ts';
import { accessBook, accessBookFile } from './access-book.ts';
import { readSecret } from './login/provider.ts';
import { sessionKeys } from './session-keys.ts';

/** The asking with `auth`; or why it cannot be, in one line. `isPassing`: a disk takes nothing now, and may soon. */
export async function startAccess({
  auth,
  publicUrl,
  dataDirectory,
  log,
}: {
  readonly auth: AuthSettings;
  readonly publicUrl: string;
  readonly dataDirectory: string;
  readonly log: Log;
}): Promise<Access | { readonly why: string; readonly isPassing: boolean }> {
  const secret = auth.oidc?.clientSecretFile ?? null;
  if (secret !== null) {
    try {
      await readSecret(secret);
    } catch {
      return { why: `auth.oidc.clientSecretFile: ${secret} cannot be read, or holds no secret`, isPassing: false };
    }
  }
  try {
    const keys = await sessionKeys(dataDirectory, systemClock.now());
    const book = accessBook(join(dataDirectory, accessBookFile));
    return access({ auth, book, keys, publicUrl, clock: systemClock, log });
  } catch (error) {
    return {
      isPassing: true,
      why: `the keys of sessions cannot be made in ${dataDirectory}: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}
