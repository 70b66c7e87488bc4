import { numberAt, parseForeign, textAt } from '#lib/foreign.ts';
import type { KindStore, ObjectStore, StoredObject } from './object-store.ts';
import { bytesOf } from './representation.ts';
import type { Representation } from './representation.ts';
import type { Selection } from './selection.ts';
import { expiredMessage, failure, tooLarge } from './status.ts';
import type { Answer } from './status.ts';

interface Snapshot {
  readonly resourceVersion: number;
  readonly objects: readonly StoredObject[];
}

/** The lists of one cluster that are being paged through: every page shows the state of the first. */
export interface ListPages {
  /** Answers a list: limit, continue, resourceVersion and resourceVersionMatch as the API server reads them. */
  list(store: ObjectStore, kind: KindStore, query: URLSearchParams, selection: Selection, as: Representation): Answer;
  /** Forgets every list that is under way: its continue tokens get 410, as after a compaction. */
  compact(): void;
}

const snapshotsKept = 256;

function encodeToken(snapshot: number, start: number, resourceVersion: number): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: resourceVersion, snapshot, start })).toString(
    'base64url',
  );
}

function listBody(as: Representation, metadata: object, objects: readonly StoredObject[]): Buffer {
  const header = JSON.stringify({ kind: as.listKind, apiVersion: as.listApiVersion, metadata });
  const parts: Buffer[] = [Buffer.from(`${header.slice(0, -1)},"items":[`)];
  const comma = Buffer.from(',');
  objects.forEach((object, index) => {
    if (index > 0) parts.push(comma);
    parts.push(bytesOf(object, as));
  });
  parts.push(Buffer.from(']}\n'));
  return Buffer.concat(parts);
}

/** The objects that a list asks for, and how they are shown. */
interface Asked {
  readonly store: ObjectStore;
  readonly kind: KindStore;
  readonly selection: Selection;
  readonly as: Representation;
}

type Snapshots = ReturnType<typeof createSnapshots>;

/** The states that lists under way page through; the oldest is forgotten where there are too many. */
function createSnapshots() {
  const snapshots = new Map<number, Snapshot>();
  let lastId = 0;
  return {
    remember(snapshot: Snapshot): number {
      const id = ++lastId;
      snapshots.set(id, snapshot);
      const oldest = snapshots.keys().next().value;
      if (snapshots.size > snapshotsKept && oldest !== undefined) snapshots.delete(oldest);
      return id;
    },
    /** Answers with the objects from `start` on, at most `limit` of them (0: all). */
    page(id: number, snapshot: Snapshot, start: number, limit: number, { selection, as }: Asked): Answer {
      const { objects, resourceVersion } = snapshot;
      const end = limit > 0 ? Math.min(start + limit, objects.length) : objects.length;
      const remaining = objects.length - end;
      const metadata: { [key: string]: string | number } = { resourceVersion: String(resourceVersion) };
      if (remaining > 0) {
        metadata['continue'] = encodeToken(id, end, resourceVersion);
        if (selection.all) metadata['remainingItemCount'] = remaining;
      } else {
        snapshots.delete(id);
      }
      return { code: 200, contentType: 'application/json', body: listBody(as, metadata, objects.slice(start, end)) };
    },
    get: (id: number): Snapshot | undefined => snapshots.get(id),
    clear: (): void => snapshots.clear(),
  };
}

function take({ store, kind, selection }: Asked): Snapshot {
  const objects = selection.all ? kind.sorted() : kind.sorted().filter((object) => selection.includes(object));
  return { resourceVersion: store.resourceVersion, objects };
}

const tooOld =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
  'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
  'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
  'deleted between the time the first chunk was returned and now may show up in the list.';

/** Answers the next page of a list that is under way. */
function nextPage(snapshots: Snapshots, token: string, limit: number, asked: Asked): Answer {
  const parsed = parseForeign(Buffer.from(token, 'base64url').toString());
  const id = numberAt(parsed, 'snapshot');
  const start = numberAt(parsed, 'start');
  if (textAt(parsed, 'v') !== 'meta.k8s.io/v1' || id === null || start === null) {
    return failure(400, 'BadRequest', 'continue key is not valid: unrecognized encoded version');
  }
  const snapshot = snapshots.get(id);
  if (snapshot) return snapshots.page(id, snapshot, start, limit, asked);
  const now = take(asked);
  const inconsistent = encodeToken(snapshots.remember(now), Math.min(start, now.objects.length), now.resourceVersion);
  return failure(410, 'Expired', tooOld, { metadata: { continue: inconsistent } });
}

/** Answers the first page of a list. */
function firstPage(snapshots: Snapshots, query: URLSearchParams, limit: number, asked: Asked): Answer {
  const { store } = asked;
  const wanted = query.get('resourceVersion') ?? '';
  const version = Number(wanted);
  if (wanted !== '' && !/^\d+$/.test(wanted)) {
    const message = `resourceVersion: Invalid value: "${wanted}": strconv.ParseUint: parsing "${wanted}": invalid syntax`;
    return failure(400, 'BadRequest', message);
  }
  if (version > store.resourceVersion) return tooLarge(version, store.resourceVersion);
  if (query.get('resourceVersionMatch') === 'Exact' && version !== store.resourceVersion) {
    return failure(410, 'Expired', expiredMessage(version, store.resourceVersion));
  }
  const snapshot = take(asked);
  // At version "0" the watch cache answers, whole and without pages.
  const pageSize = wanted === '0' ? 0 : limit;
  const needsPages = pageSize > 0 && snapshot.objects.length > pageSize;
  return snapshots.page(needsPages ? snapshots.remember(snapshot) : 0, snapshot, 0, pageSize, asked);
}

/** Makes the paging of one cluster. */
export function createListPages(): ListPages {
  const snapshots = createSnapshots();
  return {
    list(store, kind, query, selection, as) {
      const asked = { store, kind, selection, as };
      const limit = Number(query.get('limit') ?? '0') || 0;
      const token = query.get('continue') ?? '';
      return token === '' ? firstPage(snapshots, query, limit, asked) : nextPage(snapshots, token, limit, asked);
    },
    compact: () => snapshots.clear(),
  };
}
