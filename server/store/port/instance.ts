import { hostname } from 'node:os';
import { numberAt, textAt } from '#lib/foreign.ts';
import { sinceText } from './since-text.ts';
import { readSideFile, writeSideFile } from './side-file.ts';

/** One process that writes a store, or would. `since`: when it began (ms since the epoch). */
export interface Instance {
  readonly host: string;
  readonly pid: number;
  readonly since: number;
}

/** An instance that waits for the one that writes; `seenAt`: when it said so last (ms since the epoch). */
export interface Standby extends Instance {
  readonly seenAt: number;
}

const writerFile = (store: string): string => `${store}.writer.json`;
const standbyFile = (store: string): string => `${store}.standby`;

/** Says beside the store who writes it. */
export function sayWriter(store: string, { host, pid, since }: Instance): void {
  writeSideFile(writerFile(store), { host, pid, since });
}

/** The process that said last that it writes the store; null where none did. */
export function readWriter(store: string): Instance | null {
  return instanceOf(readSideFile(writerFile(store)));
}

/** Says beside the store who waits for it; null where nobody does any more. */
export function sayStandby(store: string, standby: Standby | null): void {
  writeSideFile(standbyFile(store), standby ?? {});
}

/** The instance that said last that it waits; null where none does. */
export function readStandby(store: string): Standby | null {
  const said = readSideFile(standbyFile(store));
  const instance = instanceOf(said);
  const seenAt = numberAt(said, 'seenAt');
  return instance === null || seenAt === null ? null : { ...instance, seenAt };
}

function instanceOf(said: unknown): Instance | null {
  const [host, pid, since] = [textAt(said, 'host'), numberAt(said, 'pid'), numberAt(said, 'since')];
  return host === null || pid === null || since === null ? null : { host, pid, since };
}

/** An instance for people: "process 4711 on node-1". */
export function instanceName({ host, pid }: Instance): string {
  return `process ${pid} on ${host}`;
}

/** Who writes a store, by what was said last, for people. One that is known to have ended is named as the one that wrote last. */
export function writerName(said: Instance): string {
  return hasEnded(said) ? `${instanceName(said)} wrote last` : instanceName(said);
}

/** True if no process of this host has the number any more. Of other hosts nothing is known. */
function hasEnded({ host, pid }: Instance): boolean {
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

/** An instance that waits says so at least so often (ms). */
export const saysEach = 5_000;

/** That a second instance waits, for people, at `now` (ms); null where none does. The same words on the pages of both. */
export function describeStandby(standby: Standby | null, now: number): string | null {
  if (standby === null || now - standby.seenAt > 3 * saysEach) return null;
  return `A second Plumbline (${instanceName(standby)}) was started on this data directory and stands by since ${sinceText(standby.since, now)}: it reads no cluster, and takes over when the one that writes the record ends.`;
}
