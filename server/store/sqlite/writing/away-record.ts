import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { decodeExtras } from '../../codec/decode.ts';
import type { AwayRecord } from '../../record/incident-rules.ts';
import { decodeRange } from '../../codec/range-text.ts';
import { recordColumns, type RowCell } from '../../codec/record-row.ts';
import { decodeTraits } from '../../codec/traits.ts';
import { text, textOrNull, whole, wholeOrNull } from '../rows/cells.ts';

type Column = (typeof recordColumns)[number]['name'];

/** The cell of a column in the row of a present record. */
export function cellOf(row: readonly RowCell[], name: Column): RowCell {
  return row[recordColumns.findIndex((column) => column.name === name)] ?? null;
}

/** Part of the row of a present record that an incident is read from. */
export function awayRecordOf(ref: ObjectRef, row: readonly RowCell[]): AwayRecord {
  const { verdict, reason, onsetBound, awayBound } = decodeTraits(text(cellOf(row, 'traits')));
  const awayAt = wholeOrNull(cellOf(row, 'away_at'));
  const rest = textOrNull(cellOf(row, 'rest'));
  const range = textOrNull(cellOf(row, 'commit_range'));
  return {
    ref,
    uid: text(cellOf(row, 'uid')),
    verdict,
    reason,
    onset: {
      time: whole(cellOf(row, 'onset_at')),
      bound: onsetBound,
      noticedAt: whole(cellOf(row, 'onset_noticed_at')),
    },
    awaySince:
      awayAt === null ? null : { time: awayAt, bound: awayBound, noticedAt: whole(cellOf(row, 'away_noticed_at')) },
    rootCause: rest === null ? null : decodeExtras(rest).rootCause,
    range: range === null ? null : decodeRange(range),
  };
}
