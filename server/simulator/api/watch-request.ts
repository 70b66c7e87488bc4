import { minute } from '#lib/domain/time/length.ts';
import type { Faults } from './faults.ts';
import type { KindStore, ObjectStore } from './object-store.ts';
import type { Representation } from './representation.ts';
import type { Selection } from './selection.ts';
import { expiredMessage, failure, failureStatus, tooLarge } from './status.ts';
import type { Answer } from './status.ts';
import type { WatchRequest } from './watch.ts';

/** Sources that a watch is parsed from. `now` in ms since the epoch. */
export interface WatchParameters {
  readonly store: ObjectStore;
  readonly kind: KindStore;
  readonly query: URLSearchParams;
  readonly selection: Selection;
  readonly as: Representation;
  readonly faults: Faults;
  readonly now: number;
}

const serverTimeout = 45 * minute;

function forbidden(field: string, why: string): Answer {
  const message = `Forbidden: ${why}`;
  const causes = [{ reason: 'FieldValueForbidden', message, field }];
  const details = { group: 'meta.k8s.io', kind: 'ListOptions', causes };
  return failure(422, 'Invalid', `ListOptions.meta.k8s.io "" is invalid: ${field}: ${message}`, { details });
}

function watchListRefusal(query: URLSearchParams, faults: Faults): Answer | null {
  const [match, events] = ['resourceVersionMatch', 'sendInitialEvents'];
  const wanted = query.get(match) ?? '';
  if (query.get(events) === null)
    return wanted === '' ? null : forbidden(match, `${match} is forbidden for watch unless ${events} is provided`);
  if (!faults.watchList)
    return forbidden(events, `${events} is forbidden for watch unless the WatchList feature gate is enabled`);
  if (wanted !== 'NotOlderThan') return forbidden(match, `${events} requires setting ${match} to NotOlderThan`);
  return null;
}

function expired(asked: number, parameters: WatchParameters): { readonly answer: Answer } {
  const message = expiredMessage(asked, parameters.store.resourceVersion);
  if (parameters.faults.expiredAs === 'status') return { answer: failure(410, 'Expired', message) };
  const status = failureStatus(410, 'Expired', message);
  // The watch cache accepts the watch and then speaks of the error in it (cacher.go newErrWatcher).
  const body = Buffer.from(`${JSON.stringify({ type: 'ERROR', object: status })}\n`);
  return { answer: { code: 200, contentType: 'application/json', body } };
}

/**
 * Reads the parameters of a watch (apimachinery ListOptions): from a version, from now with everything first
 * (version "" or "0"), or as a watch-list (sendInitialEvents).
 */
export function parseWatch(
  parameters: WatchParameters,
): { readonly answer: Answer } | { readonly watch: WatchRequest } {
  const { store, kind, query, selection, as, now } = parameters;
  const refusal = watchListRefusal(query, parameters.faults);
  if (refusal) return { answer: refusal };
  const timeout = Number(query.get('timeoutSeconds') ?? '0') * 1000 || serverTimeout;
  const bookmarks = query.get('allowWatchBookmarks') === 'true';
  const asked = query.get('resourceVersion') ?? '';
  const version = Number(asked);
  if (asked !== '' && !/^\d+$/.test(asked)) {
    return { answer: failure(400, 'BadRequest', `Invalid value: "${asked}": resourceVersion`) };
  }
  const common = { kind, selection, as, bookmarks, deadline: now + timeout };
  const everything = (): WatchRequest['initial'] =>
    selection.all ? kind.sorted() : kind.sorted().filter((object) => selection.includes(object));
  if (query.get('sendInitialEvents') === 'true') {
    if (version > store.resourceVersion) return { answer: tooLarge(version, store.resourceVersion) };
    return {
      watch: {
        ...common,
        after: store.resourceVersion,
        missed: [],
        initial: everything(),
        initialEnd: bookmarks ? store.resourceVersion : null,
      },
    };
  }
  if (version === 0 && query.get('sendInitialEvents') !== 'false') {
    return { watch: { ...common, after: store.resourceVersion, initial: everything(), initialEnd: null, missed: [] } };
  }
  const missed = version === 0 ? [] : kind.since(version);
  if (!missed) return expired(version, parameters);
  return { watch: { ...common, after: version, initial: [], initialEnd: null, missed } };
}
