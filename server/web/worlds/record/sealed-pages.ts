import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import type { RecordCursor, RecordPage, RecordReader } from '#server/store/port/record-port.ts';

/** A cursor that was not sealed by this process. */
export class UnreadCursor extends Error {}

const name = 'plumbline: key of cursors';
const cipher = 'aes-256-gcm';
const [ivLength, tagLength] = [12, 16];

/** One key for all threads of this process: those of views and of the past have it from the one that starts them. */
function sealingKey(): Buffer {
  const known = getEnvironmentData(name);
  if (typeof known === 'string') return Buffer.from(known, 'hex');
  const made = randomBytes(32);
  setEnvironmentData(name, made.toString('hex'));
  return made;
}

const key = sealingKey();

/** Seals a cursor of the record, the same one always alike. */
function seal(cursor: RecordCursor): RecordCursor {
  const iv = createHmac('sha256', key).update(cursor).digest().subarray(0, ivLength);
  const by = createCipheriv(cipher, key, iv);
  const sealed = Buffer.concat([by.update(cursor, 'utf8'), by.final()]);
  return Buffer.concat([iv, by.getAuthTag(), sealed]).toString('base64url');
}

/** Opens it. Throws where nothing here has sealed it. */
function opened(cursor: RecordCursor): RecordCursor {
  const bytes = Buffer.from(cursor, 'base64url');
  const [iv, tag] = [bytes.subarray(0, ivLength), bytes.subarray(ivLength, ivLength + tagLength)];
  if (tag.length < tagLength) throw new UnreadCursor('a cursor is too short');
  try {
    const by = createDecipheriv(cipher, key, iv, { authTagLength: tagLength }).setAuthTag(tag);
    return Buffer.concat([by.update(bytes.subarray(ivLength + tagLength)), by.final()]).toString('utf8');
  } catch {
    throw new UnreadCursor('a cursor was sealed by nobody here');
  }
}

/** Asks for a page behind a sealed cursor, and seals that of the next. */
async function sealedPage<Page extends { readonly cursor: RecordCursor | null }, T>(
  page: Page,
  read: (page: Page) => Promise<RecordPage<T>>,
): Promise<RecordPage<T>> {
  const { items, next } = await read(page.cursor === null ? page : { ...page, cursor: opened(page.cursor) });
  return { items, next: next === null ? null : seal(next) };
}

type Paged = 'spansIn' | 'absences' | 'corrections' | 'transitions' | 'absencesCalled' | 'calls' | 'members';

/**
 * The record with cursors that tell nothing: its own hold numbers of rows, which count what was written between two of them, whoever may see that. What
 * this process has not sealed is thrown as `UnreadCursor`. Pages of incidents are places among those that are seen.
 */
export function sealedPages(record: RecordReader): RecordReader {
  const paged: Pick<RecordReader, Paged> = {
    spansIn: (scope, period, page) => sealedPage(page, (own) => record.spansIn(scope, period, own)),
    absences: (scope, period, page) => sealedPage(page, (own) => record.absences(scope, period, own)),
    corrections: (scope, period, page) => sealedPage(page, (own) => record.corrections(scope, period, own)),
    transitions: (scope, period, page) => sealedPage(page, (own) => record.transitions(scope, period, own)),
    absencesCalled: (scope, period, page) => sealedPage(page, (own) => record.absencesCalled(scope, period, own)),
    calls: (question, page) => sealedPage(page, (own) => record.calls(question, own)),
    members: (id, at, scope, page) => sealedPage(page, (own) => record.members(id, at, scope, own)),
  };
  return { ...record, ...paged };
}
