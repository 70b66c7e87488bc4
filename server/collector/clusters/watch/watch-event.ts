import { at, type ForeignObject, isForeignObject, listAt, numberAt, parseForeign } from '#lib/foreign.ts';
import { messageAt, nameAt, reasonAt, unkeptTextAt } from '#lib/foreign-words.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { type Failure, failure, faultOfStatus } from '../answer.ts';
import { lineValues, refuseShape } from '../parsing/json-shape.ts';
import { redact } from '../redact.ts';

/** A change of an object, or a bookmark. `resourceVersion` is '' where it bears none. */
export type WatchChange =
  | {
      readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
      readonly object: ForeignObject;
      readonly resourceVersion: string;
    }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string; readonly initialEventsEnd: boolean };

/** One line of a watch, read. `expired`: the resourceVersion is too old (410) or from a future that never was. */
export type WatchEvent = WatchChange | { readonly type: 'expired' } | Failure;

/**
 * Reads one line of a watch of `apiVersion` and `kind`. A Table, or an object of another kind, is a protocol fault:
 * nothing after it can be trusted.
 */
export function readWatchEvent(line: string, apiVersion: string, kind: string): WatchEvent {
  const refused = refuseShape(line, lineValues);
  if (refused !== null) return refused;
  const event = parseForeign(line);
  const object = event === null ? undefined : event['object'];
  if (event === null || !isForeignObject(object)) return notUnderstood('a line that is no watch event');
  switch (event['type']) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      if (object['kind'] !== kind || object['apiVersion'] !== apiVersion)
        return notUnderstood(`an object that is no ${kind}`);
      return { type: event['type'], object, resourceVersion: versionOf(object) };
    case 'BOOKMARK': {
      const initialEventsEnd = at(object, 'metadata', 'annotations', 'k8s.io/initial-events-end') === 'true';
      return { type: 'BOOKMARK', resourceVersion: versionOf(object), initialEventsEnd };
    }
    case 'ERROR':
      return readStatus(object);
    default:
      return notUnderstood('a watch event of an unknown type');
  }
}

function versionOf(object: ForeignObject): string {
  const metadata = object['metadata'];
  const version = isForeignObject(metadata) ? metadata['resourceVersion'] : undefined;
  return nameAt(version) ?? '';
}

function readStatus(status: ForeignObject): WatchEvent {
  const code = numberAt(status, 'code') ?? 500;
  const message = redact(messageAt(status, 'message') ?? 'the watch failed');
  if (code === 410 || isTooLarge(message)) return { type: 'expired' };
  const seconds = numberAt(status, 'details', 'retryAfterSeconds');
  return failure(faultOfStatus(code, message), seconds === null ? null : seconds * 1_000);
}

/** The server's message on a resourceVersion that it has never reached (an etcd restored from a backup). */
export function isTooLarge(message: string): boolean {
  return /too large resource version/i.test(message);
}

function notUnderstood(what: string): Failure {
  return failure({ type: 'protocol', message: `the server sent ${what}` });
}

/** One page of a list, or why it is none. Items without a kind of their own (core types) are given the list's. */
export type ListPage =
  | {
      readonly type: 'page';
      readonly items: readonly ForeignObject[];
      readonly resourceVersion: string;
      readonly next: string;
    }
  | Failure;

/** Longest token that is handed back: those of an API server hold the name of one object. */
const longestToken = 16_384;

/** Reads a list of `apiVersion` and `kind`; a Table, another kind of list, and more than `most` items are a protocol fault. */
export function readListPage(body: ForeignObject, apiVersion: string, kind: string, most: number): ListPage {
  const listKind = body['kind'];
  if (listKind !== `${kind}List` && listKind !== 'List' && listKind !== 'PartialObjectMetadataList') {
    return notUnderstood(`${reasonAt(listKind) ?? 'something'} where a ${kind}List was asked for`);
  }
  const found = listAt(body, 'items');
  // Before anything is made of them: a body of the smallest items that there are holds millions.
  if (found.length > most) {
    const message = `a list of ${countOf(found.length, 'object')}; at most ${formatCount(most)} are read of one cluster`;
    return failure({ type: 'protocol', message });
  }
  const next = unkeptTextAt(at(body, 'metadata', 'continue') ?? '');
  if (next === null || next.length > longestToken)
    return notUnderstood('a list with a continue token that cannot be handed back');
  const items: ForeignObject[] = [];
  for (const item of found) {
    if (!isForeignObject(item)) return notUnderstood('a list with an item that is no object');
    items.push(item['kind'] === undefined ? { apiVersion, kind, ...item } : item);
  }
  return {
    type: 'page',
    items,
    resourceVersion: nameAt(body, 'metadata', 'resourceVersion') ?? '',
    next,
  };
}
