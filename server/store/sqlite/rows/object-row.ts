import type { SQLInputValue } from 'node:sqlite';
import type { CommitRange } from '#lib/domain/record/commit-range.ts';
import type { CurrentObject, Onset } from '#lib/domain/record/current.ts';
import { parseRefKey, type ObjectRef } from '#lib/domain/observation/ref.ts';
import { noUpstreams, type Upstreams } from '#lib/domain/record/upstreams.ts';
import { boundedMemo } from '../../../runtime/bounded-map.ts';
import { decodeRange } from '../../codec/range-text.ts';
import { decodeExtras, decodeTexts, type Extras } from '../../codec/decode.ts';
import { recordColumns, type Holds, type RowCell } from '../../codec/record-row.ts';
import { decodeUpstreams } from '../../codec/upstreams-text.ts';
import { decodeTraits, type Traits } from '../../codec/traits.ts';
import {
  milliseconds,
  millisecondsOrNull,
  text,
  textOrNull,
  whole,
  wholeOrNull,
  type Cell,
  type Row,
} from './cells.ts';
import type { Dictionary } from './dictionary.ts';

/** The columns of a current record behind its name, in the order of `objectValues` and `objectOf`. */
export const objectColumns = recordColumns.map((column) => column.name);

/** The values of `objectColumns` for the row of an object. */
export function objectValues(row: readonly RowCell[], dictionary: Dictionary): SQLInputValue[] {
  return recordColumns.map(({ holds }, index) => valueOf(row[index] ?? null, holds, dictionary));
}

function valueOf(cell: RowCell, holds: Holds, dictionary: Dictionary): SQLInputValue {
  switch (holds) {
    case 'own':
      return text(cell);
    case 'shared':
      return dictionary.text(text(cell));
    case 'shared?':
      return dictionary.textOrNull(textOrNull(cell));
    case 'time':
      return milliseconds(whole(cell));
    case 'time?':
      return millisecondsOrNull(wholeOrNull(cell));
  }
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
  const rests = remember<Extras>(decodeExtras);
  const foundations = remember<Upstreams>(decodeUpstreams);
  const ranges = remember<CommitRange>(decodeRange);
  const noExtras: Extras = { rootCause: null, exemptions: [] };

  function remember<T extends object>(decode: (stored: string) => T): (id: number) => T {
    return boundedMemo(remembered, (id) => decode(textOf(id)));
  }

  function sharedOrNull(cell: Cell): string | null {
    return cell === null ? null : textOf(whole(cell));
  }

  function refOrNull(cell: Cell): ObjectRef | null {
    return cell === null ? null : refs(whole(cell)).ref;
  }

  return {
    objectOf(ref, row, offset) {
      const common = traits(whole(row[offset + 1]));
      const { revision, commit } = revisions(whole(row[offset + 11]));
      const rest = row[offset + 16] === null ? noExtras : rests(whole(row[offset + 16]));
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
        awaySince: awayOf(row[offset + 6], row[offset + 7], common),
        confirmation: common.confirmation,
        observedAt: whole(row[offset + 8]),
        confirmedAt: wholeOrNull(row[offset + 9]),
        validUntil: wholeOrNull(row[offset + 10]),
        revision,
        commit,
        commitDiffers: common.commitDiffers,
        path: sharedOrNull(row[offset + 12]),
        source: refOrNull(row[offset + 13]),
        deliveredBy: refOrNull(row[offset + 14]),
        standsOn: row[offset + 17] === null ? noUpstreams : foundations(whole(row[offset + 17])),
        repository: sharedOrNull(row[offset + 15]),
        rootCause: rest.rootCause,
        range: row[offset + 18] === null ? null : ranges(whole(row[offset + 18])),
        drift: common.drift,
        exemptions: rest.exemptions,
        alarm: common.alarm,
      };
    },
  };
}

function awayOf(time: Cell, noticedAt: Cell, { awayBound, awaySinceMade }: Traits): Onset | null {
  if (time === null) return null;
  const away: Onset = { time: whole(time), bound: awayBound, noticedAt: whole(noticedAt) };
  return awaySinceMade ? { ...away, sinceMade: true } : away;
}
