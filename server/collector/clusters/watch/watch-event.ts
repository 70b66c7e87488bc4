import { at, type ForeignObject, isForeignObject, listAt, numberAt, parseForeign, textAt } from '#lib/foreign.ts';
import { type Failure, failure, faultOfStatus } from '../answer.ts';
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
  return typeof version === 'string' ? version : '';
}

function readStatus(status: ForeignObject): WatchEvent {
  const code = numberAt(status, 'code') ?? 500;
  const message = redact(textAt(status, 'message') ?? 'the watch failed');
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

/** Reads a list of `apiVersion` and `kind`; a Table or another kind of list is a protocol fault. */
export function readListPage(body: ForeignObject, apiVersion: string, kind: string): ListPage {
  const listKind = body['kind'];
  if (listKind !== `${kind}List` && listKind !== 'List' && listKind !== 'PartialObjectMetadataList') {
    return notUnderstood(
      `${typeof listKind === 'string' ? redact(listKind) : 'something'} where a ${kind}List was asked for`,
    );
  }
  const items: ForeignObject[] = [];
  for (const item of listAt(body, 'items')) {
    if (!isForeignObject(item)) return notUnderstood('a list with an item that is no object');
    items.push(item['kind'] === undefined ? { apiVersion, kind, ...item } : item);
  }
  return {
    type: 'page',
    items,
    resourceVersion: textAt(body, 'metadata', 'resourceVersion') ?? '',
    next: textAt(body, 'metadata', 'continue') ?? '',
  };
}
