import { resolve } from 'node:path';
import type { PodSettings } from '#server/runtime/serving/pod-server.ts';
import { readPort, settingOf } from '../process-settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that only a process with a container of its own reads: two of one pod cannot share a port. */
const podVariables = ['PLUMBLINE_POD_PORT', 'PLUMBLINE_SCRAPE_TOKEN'] as const;

/** Settings for the cluster that a process runs on (null for none), or one line that says why they cannot be used. */
export type ReadPodSettings =
  | { readonly type: 'ok'; readonly pod: PodSettings | null }
  | { readonly type: 'invalid'; readonly message: string };

/** Reads PLUMBLINE_POD_PORT (probes, and metrics) and PLUMBLINE_SCRAPE_TOKEN (the file with the token that a scrape bears). */
export function readPodSettings(environment: Environment): ReadPodSettings {
  const written = settingOf(environment, 'PLUMBLINE_POD_PORT');
  const token = settingOf(environment, 'PLUMBLINE_SCRAPE_TOKEN');
  if (written === undefined) {
    if (token === undefined) return { type: 'ok', pod: null };
    return { type: 'invalid', message: 'PLUMBLINE_SCRAPE_TOKEN needs PLUMBLINE_POD_PORT: it guards /metrics there' };
  }
  const port = readPort(written);
  if (port === null) return { type: 'invalid', message: 'PLUMBLINE_POD_PORT must be a number from 0 to 65535' };
  return { type: 'ok', pod: { port, scrapeToken: token === undefined ? null : resolve(token) } };
}

/** One line where a variable is set that the supervisor of several processes cannot heed; null where none is. */
export function podVariableRefusal(environment: Environment): string | null {
  const found = podVariables.find((name) => settingOf(environment, name) !== undefined);
  return found === undefined ? null : `${found} is for a process that has a container of its own: unset it here`;
}
