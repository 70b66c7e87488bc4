import type { CurrentObject } from '#lib/domain/record/current.ts';
import { parseRefKey, refKey, type ObjectRef } from '#lib/domain/observation/ref.ts';
import { noUpstreams } from '#lib/domain/record/upstreams.ts';
import { decodeBuilds, encodeBuilds } from './builds-text.ts';
import { decodeExtras, decodeTexts } from './decode.ts';
import { decodeRange, encodeRange } from './range-text.ts';
import { decodeTraits, encodeTraits, type Traits } from './traits.ts';
import { decodeUpstreams, encodeUpstreams } from './upstreams-text.ts';

/** A record while it is read back, column by column in the order of `recordColumns`. */
interface Draft {
  /** Set by its column, which comes before those that need it. */
  traits: Traits;
  object: { -readonly [K in keyof CurrentObject]: CurrentObject[K] };
}

/** Makes of the id of a text what `decode` makes of that text, and remembers it. */
export type Remember = <T extends object>(decode: (stored: string) => T) => (id: number) => T;

/** Puts the value of a cell, which is not null, into the draft. */
type Put<T> = (draft: Draft, value: T) => void;

/**
 * One column of a present record behind its name, in both directions. `holds`: a text of the object's own, a text that many objects
 * share and that is stored by its id, or a time (ms). `orNull` columns leave the draft as it is where they are null.
 */
export type RecordColumn = { readonly name: string; readonly orNull: boolean } & (
  | { readonly holds: 'own'; readonly encode: (object: CurrentObject) => string; readonly put: Put<string> }
  | { readonly holds: 'time'; readonly encode: (object: CurrentObject) => number | null; readonly put: Put<number> }
  | {
      readonly holds: 'shared';
      readonly encode: (object: CurrentObject) => string | null;
      /** Reads each shared value once: records hold equal parts in common. */
      readonly reader: (textOf: (id: number) => string, remember: Remember) => Put<number>;
    }
);

function time(name: string, encode: (object: CurrentObject) => number, put: Put<number>): RecordColumn {
  return { name, orNull: false, holds: 'time', encode, put };
}

function timeOrNull(name: string, encode: (object: CurrentObject) => number | null, put: Put<number>): RecordColumn {
  return { name, orNull: true, holds: 'time', encode, put };
}

/** A text as it is. */
function sharedText(name: string, encode: (object: CurrentObject) => string, put: Put<string>): RecordColumn {
  return { ...sharedTextOrNull(name, encode, put), orNull: false };
}

function sharedTextOrNull(
  name: string,
  encode: (object: CurrentObject) => string | null,
  put: Put<string>,
): RecordColumn {
  return { name, orNull: true, holds: 'shared', encode, reader: (textOf) => (draft, id) => put(draft, textOf(id)) };
}

/** A value as a text. */
function shared<T extends object>(
  name: string,
  encode: (object: CurrentObject) => string,
  decode: (stored: string) => T,
  put: Put<T>,
): RecordColumn {
  return { ...sharedOrNull(name, encode, decode, put), orNull: false };
}

function sharedOrNull<T extends object>(
  name: string,
  encode: (object: CurrentObject) => string | null,
  decode: (stored: string) => T,
  put: Put<T>,
): RecordColumn {
  const reader = (_: unknown, remember: Remember): Put<number> => {
    const valueOf = remember(decode);
    return (draft, id) => put(draft, valueOf(id));
  };
  return { name, orNull: true, holds: 'shared', encode, reader };
}

function sharedRef(
  name: string,
  encode: (object: CurrentObject) => ObjectRef | null,
  put: Put<ObjectRef | null>,
): RecordColumn {
  const text = (object: CurrentObject): string | null => {
    const ref = encode(object);
    return ref === null ? null : refKey(ref);
  };
  return sharedOrNull(
    name,
    text,
    (stored) => ({ ref: parseRefKey(stored) }),
    (draft, { ref }) => put(draft, ref),
  );
}

function encodeRevisions({ revision, commit }: CurrentObject): string {
  return JSON.stringify([revision.applied, revision.attempted, revision.offered, commit]);
}

function decodeRevisions(stored: string): Pick<CurrentObject, 'revision' | 'commit'> {
  const [applied = null, attempted = null, offered = null, commit = null] = decodeTexts(stored);
  return { revision: { applied, attempted, offered }, commit };
}

function encodeExtras({ rootCause, exemptions, names }: CurrentObject): string | null {
  const isPlain = rootCause === null && exemptions.length === 0 && names === undefined;
  return isPlain ? null : JSON.stringify({ rootCause, exemptions, names });
}

function putTraits(draft: Draft, traits: Traits): void {
  const { object } = draft;
  draft.traits = traits;
  object.reconciler = traits.reconciler;
  object.role = traits.role;
  object.verdict = traits.verdict;
  object.was = traits.was;
  object.reconciling = traits.reconciling;
  object.rolling = traits.rolling;
  object.reason = traits.reason;
  object.confirmation = traits.confirmation;
  object.drift = traits.drift;
  if (traits.driftedLater) object.driftedLater = true;
  object.commitDiffers = traits.commitDiffers;
}

function putOnset(draft: Draft, at: number, noticedAt: number): void {
  draft.object.onset = { time: at, bound: draft.traits.onsetBound, noticedAt };
}

function putAway(draft: Draft, at: number, noticedAt: number): void {
  const { awayBound: bound, awaySinceMade } = draft.traits;
  draft.object.awaySince = { time: at, bound, noticedAt, ...(awaySinceMade ? { sinceMade: true } : {}) };
}

/** The columns of a present record behind its name: all that is stored of it, each in one line. */
export const recordColumns: readonly RecordColumn[] = [
  { name: 'uid', orNull: false, holds: 'own', encode: (o) => o.uid, put: (to, uid) => void (to.object.uid = uid) },
  shared('traits', encodeTraits, decodeTraits, putTraits),
  sharedText(
    'message',
    (o) => o.message,
    (to, text) => void (to.object.message = text),
  ),
  sharedText(
    'sentence',
    (o) => o.sentence,
    (to, text) => void (to.object.sentence = text),
  ),
  time(
    'onset_at',
    (o) => o.onset.time,
    (to, at) => putOnset(to, at, at),
  ),
  time(
    'onset_noticed_at',
    (o) => o.onset.noticedAt,
    (to, at) => putOnset(to, to.object.onset.time, at),
  ),
  timeOrNull(
    'away_at',
    (o) => o.awaySince?.time ?? null,
    (to, at) => putAway(to, at, at),
  ),
  timeOrNull(
    'away_noticed_at',
    (o) => o.awaySince?.noticedAt ?? null,
    (to, at) => putAway(to, to.object.awaySince?.time ?? at, at),
  ),
  time(
    'observed_at',
    (o) => o.observedAt,
    (to, at) => void (to.object.observedAt = at),
  ),
  timeOrNull(
    'confirmed_at',
    (o) => o.confirmedAt,
    (to, at) => void (to.object.confirmedAt = at),
  ),
  timeOrNull(
    'valid_until',
    (o) => o.validUntil,
    (to, at) => void (to.object.validUntil = at),
  ),
  shared('revision', encodeRevisions, decodeRevisions, (to, { revision, commit }) => {
    to.object.revision = revision;
    to.object.commit = commit;
  }),
  sharedTextOrNull(
    'path',
    (o) => o.path,
    (to, path) => void (to.object.path = path),
  ),
  sharedRef(
    'source',
    (o) => o.source,
    (to, ref) => void (to.object.source = ref),
  ),
  sharedRef(
    'delivered_by',
    (o) => o.deliveredBy,
    (to, ref) => void (to.object.deliveredBy = ref),
  ),
  sharedTextOrNull(
    'repository',
    (o) => o.repository,
    (to, url) => void (to.object.repository = url),
  ),
  sharedOrNull('extras', encodeExtras, decodeExtras, (to, { rootCause, exemptions, names }) => {
    to.object.rootCause = rootCause;
    to.object.exemptions = exemptions;
    if (names !== undefined) to.object.names = names;
  }),
  sharedOrNull(
    'upstreams',
    (o) => encodeUpstreams(o.upstreams),
    decodeUpstreams,
    (to, all) => void (to.object.upstreams = all),
  ),
  sharedOrNull(
    'commit_range',
    (o) => (o.range === null ? null : encodeRange(o.range)),
    decodeRange,
    (to, range) => void (to.object.range = range),
  ),
  sharedOrNull(
    'builds',
    (o) => (o.builds === null ? null : encodeBuilds(o.builds)),
    decodeBuilds,
    (to, builds) => void (to.object.builds = builds),
  ),
];

const traits = decodeTraits('');
const onset = { time: 0, bound: traits.onsetBound, noticedAt: 0 };
const revision = { applied: null, attempted: null, offered: null };

/** A record of which nothing is read yet. */
export function emptyDraft(ref: ObjectRef): Draft {
  const object: CurrentObject = {
    ref,
    uid: '',
    reconciler: '',
    role: traits.role,
    verdict: traits.verdict,
    was: null,
    reconciling: false,
    rolling: false,
    reason: '',
    message: '',
    sentence: '',
    onset,
    awaySince: null,
    confirmation: traits.confirmation,
    observedAt: 0,
    confirmedAt: null,
    validUntil: null,
    revision,
    commit: null,
    commitDiffers: 'no',
    path: null,
    builds: null,
    source: null,
    deliveredBy: null,
    upstreams: noUpstreams,
    repository: null,
    rootCause: null,
    range: null,
    drift: traits.drift,
    exemptions: [],
  };
  return { traits, object };
}
