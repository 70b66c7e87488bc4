import { accessSync, closeSync, constants, existsSync, openSync, statSync } from 'node:fs';
import { numberAt, textAt } from '#lib/foreign.ts';
import { sinceText } from './since-text.ts';
import { readSideFile, writeSideFile } from './side-file.ts';

/** Why nothing can be written: the disk is full, the store may only be read, or what it says itself. */
export type Refusing = 'full' | 'read-only' | 'failed';

/** Condition of the store: it takes what the collector writes, or not. Times in ms since the epoch; `triedAt`: when it was tried last. */
export type StoreCondition =
  | { readonly type: 'writing' }
  | {
      readonly type: 'refusing';
      readonly why: Refusing;
      readonly message: string;
      readonly since: number;
      readonly triedAt: number;
    };

/** The file beside the store in which the collector says how it fares: where nothing can be written into the store, it can not say so there. */
function conditionFile(store: string): string {
  return `${store}.condition`;
}

/** Says how the store fares. It is no matter where this cannot be said. */
export function writeCondition(store: string, condition: StoreCondition): void {
  const short = condition.type === 'writing' ? condition : { ...condition, message: condition.message.slice(0, 200) };
  writeSideFile(conditionFile(store), short);
}

function isRefusing(why: string | null): why is Refusing {
  return why === 'full' || why === 'read-only' || why === 'failed';
}

/** Condition of the store by what was said last; null where nothing was. */
export function readCondition(store: string): StoreCondition | null {
  const said = readSideFile(conditionFile(store));
  const type = textAt(said, 'type');
  if (type === 'writing') return { type };
  const [why, since, triedAt] = [textAt(said, 'why'), numberAt(said, 'since'), numberAt(said, 'triedAt')];
  if (type !== 'refusing' || !isRefusing(why) || since === null || triedAt === null) return null;
  return { type, why, message: textAt(said, 'message') ?? '', since, triedAt };
}

/**
 * True if the disk under the store takes writes, found without one. A disk that went read-only after an error of its own tells
 * only who opens a file for writing; that cannot be the store, whose locks a process would lose with the file that it closes.
 */
export function mayBeWritten(store: string): boolean {
  try {
    if (existsSync(conditionFile(store))) closeSync(openSync(conditionFile(store), constants.O_RDWR));
    else accessSync(store, constants.W_OK);
    return true;
  } catch (error) {
    // That this process may not (Node's permission model) says nothing of the disk.
    return error instanceof Error && 'code' in error && error.code === 'ERR_ACCESS_DENIED';
  }
}

/** A collector that can write does so at least so often (ms): it renews its leases. */
const writesEach = 15_000;

/**
 * That the store may only be read, as anybody sees it who may write it otherwise; null where it can be written, or was of
 * late (ms). The disk that refuses the record refuses the file beside it too, so that the collector cannot tell.
 */
export function seeReadOnly(store: string, now: number): StoreCondition | null {
  if (mayBeWritten(store)) return null;
  const times = [store, `${store}-wal`].flatMap((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? []);
  if (times.length === 0) return null;
  const since = Math.max(...times);
  return now - since < writesEach ? null : { type: 'refusing', why: 'read-only', message: '', since, triedAt: now };
}

const reasons: Readonly<Record<Refusing, string>> = {
  full: 'the disk of the record is full',
  'read-only': 'the record may only be read',
  failed: 'the record cannot be written',
};

/** A collector that is alive tries again at least so often (ms); what an ended one said last is no news. */
const goodFor = 60_000;

/** Trouble of the record, for people, at `now` (ms); null where all is well or nobody says. */
export function describeCondition(condition: StoreCondition | null, now: number): string | null {
  if (condition === null || condition.type === 'writing' || now - condition.triedAt > goodFor) return null;
  const message = condition.why === 'failed' && condition.message !== '' ? ` (${condition.message})` : '';
  return `Nothing is recorded since ${sinceText(condition.since, now)}: ${reasons[condition.why]}${message}. What is shown grows old; it goes on by itself once it can.`;
}
