import type { SQLInputValue } from 'node:sqlite';
import type { CurrentObject, Onset } from '#lib/domain/current.ts';
import type { ObjectRef } from '#lib/domain/ref.ts';
import { parseRefKey, refKey } from '#lib/domain/ref.ts';
import { standsOnNothing, type StandsOn } from '#lib/domain/stands-on.ts';
import { boundedMap } from '../bounded-map.ts';
import { decodeRest, decodeTexts, type Rest } from '../decode.ts';
import { decodeStandsOn, encodeStandsOn } from '../stands-on-text.ts';
import { decodeTraits, encodeTraits, type Traits } from '../traits.ts';
import { milliseconds, millisecondsOrNull, text, whole, wholeOrNull, type Cell, type Row } from './cells.ts';
import type { Dictionary } from './dictionary.ts';

/** The columns of a current record behind its name, in the order of `objectValues` and `objectOf`. */
export const objectColumns = [
  'uid',
  'traits',
  'message',
  'sentence',
  'onset_at',
  'onset_noticed_at',
  'away_at',
  'away_noticed_at',
  'observed_at',
  'confirmed_at',
  'valid_until',
  'revision',
  'path',
  'source',
  'delivered_by',
  'repository',
  'rest',
  'stands_on',
] as const;

function refText(ref: ObjectRef | null): string | null {
  return ref === null ? null : refKey(ref);
}

/** The values of `objectColumns` for an object. */
export function objectValues(object: CurrentObject, dictionary: Dictionary): SQLInputValue[] {
  const { revision, rootCause, exemptions, onset, awaySince } = object;
  return [
    object.uid,
    dictionary.text(encodeTraits(object)),
    dictionary.text(object.message),
    dictionary.text(object.sentence),
    milliseconds(onset.time),
    milliseconds(onset.noticedAt),
    millisecondsOrNull(awaySince?.time),
    millisecondsOrNull(awaySince?.noticedAt),
    milliseconds(object.observedAt),
    millisecondsOrNull(object.confirmedAt),
    millisecondsOrNull(object.validUntil),
    dictionary.text(JSON.stringify([revision.applied, revision.attempted, revision.offered, object.commit])),
    dictionary.textOrNull(object.path),
    dictionary.textOrNull(refText(object.source)),
    dictionary.textOrNull(refText(object.deliveredBy)),
    dictionary.textOrNull(object.repository),
    rootCause === null && exemptions.length === 0 ? null : dictionary.text(JSON.stringify({ rootCause, exemptions })),
    dictionary.textOrNull(encodeStandsOn(object.standsOn)),
  ];
}

interface Revisions {
  readonly revision: CurrentObject['revision'];
  readonly commit: string | null;
}

/** Reads rows back into records; equal parts of different records are one and the same value in memory. */
export interface ObjectReader {
  /** The record in a row whose columns from `offset` on are `objectColumns`. */
  objectOf(ref: ObjectRef, row: Row, offset: number): CurrentObject;
}

const remembered = 50_000;

/** Makes the reader of rows; `textOf` gives the text of an id. */
export function openObjectReader(textOf: (id: number) => string): ObjectReader {
  const traits = remember<Traits>(decodeTraits);
  const revisions = remember<Revisions>((stored) => {
    const [applied, attempted, offered, commit] = decodeTexts(stored);
    return {
      revision: { applied: applied ?? null, attempted: attempted ?? null, offered: offered ?? null },
      commit: commit ?? null,
    };
  });
  const refs = remember<{ readonly ref: ObjectRef | null }>((stored) => ({ ref: parseRefKey(stored) }));
  const rests = remember<Rest>(decodeRest);
  const foundations = remember<StandsOn>(decodeStandsOn);
  const noRest: Rest = { rootCause: null, exemptions: [] };

  function remember<T>(decode: (stored: string) => T): (id: number) => T {
    const known = boundedMap<number, T>(remembered);
    return (id) => {
      let value = known.get(id);
      if (value === undefined) {
        value = decode(textOf(id));
        known.set(id, value);
      }
      return value;
    };
  }

  function textOrNull(cell: Cell): string | null {
    return cell === null ? null : textOf(whole(cell));
  }

  function refOrNull(cell: Cell): ObjectRef | null {
    return cell === null ? null : refs(whole(cell)).ref;
  }

  return {
    objectOf(ref, row, offset) {
      const common = traits(whole(row[offset + 1]));
      const { revision, commit } = revisions(whole(row[offset + 11]));
      const rest = row[offset + 16] === null ? noRest : rests(whole(row[offset + 16]));
      return {
        ref,
        uid: text(row[offset]),
        reconciler: common.reconciler,
        role: common.role,
        verdict: common.verdict,
        was: common.was,
        reconciling: common.reconciling,
        rolling: common.rolling,
        reason: common.reason,
        message: textOf(whole(row[offset + 2])),
        sentence: textOf(whole(row[offset + 3])),
        onset: { time: whole(row[offset + 4]), bound: common.onsetBound, noticedAt: whole(row[offset + 5]) },
        awaySince: awayOf(row[offset + 6], row[offset + 7], common.awayBound),
        confirmation: common.confirmation,
        observedAt: whole(row[offset + 8]),
        confirmedAt: wholeOrNull(row[offset + 9]),
        validUntil: wholeOrNull(row[offset + 10]),
        revision,
        commit,
        commitDiffers: common.commitDiffers,
        path: textOrNull(row[offset + 12]),
        source: refOrNull(row[offset + 13]),
        deliveredBy: refOrNull(row[offset + 14]),
        standsOn: row[offset + 17] === null ? standsOnNothing : foundations(whole(row[offset + 17])),
        repository: textOrNull(row[offset + 15]),
        rootCause: rest.rootCause,
        drift: common.drift,
        exemptions: rest.exemptions,
        alarm: common.alarm,
      };
    },
  };
}

function awayOf(time: Cell, noticedAt: Cell, bound: Onset['bound']): Onset | null {
  return time === null ? null : { time: whole(time), bound, noticedAt: whole(noticedAt) };
}
