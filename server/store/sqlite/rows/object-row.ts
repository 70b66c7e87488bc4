import type { SQLInputValue } from 'node:sqlite';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { boundedMap, type Weights } from '../../../runtime/bounded-map.ts';
import { emptyDraft, recordColumns, type RecordColumn, type Remember } from '../../codec/record-columns.ts';
import { milliseconds, text, whole, type Cell, type Row } from './cells.ts';
import type { Dictionary } from './dictionary.ts';

/** The columns of a current record behind its name. */
export const objectColumns = recordColumns.map((column) => column.name);

/** The values of `objectColumns` for a record. */
export function objectValues(object: CurrentObject, dictionary: Dictionary): SQLInputValue[] {
  return recordColumns.map((column) => valueOf(column, object, dictionary));
}

function valueOf(column: RecordColumn, object: CurrentObject, dictionary: Dictionary): SQLInputValue {
  const value = column.encode(object);
  if (value === null && column.orNull) return null;
  switch (column.holds) {
    case 'own':
      return text(value);
    case 'shared':
      return dictionary.text(text(value));
    case 'time':
      return milliseconds(whole(value));
  }
}

/** Reads rows back into records; equal parts of different records are one and the same value in memory. */
export interface ObjectReader {
  /** The record in a row whose columns from `offset` on are `objectColumns`. */
  objectOf(ref: ObjectRef, row: Row, offset: number): CurrentObject;
}

const remembered = 50_000;
/** Letters of the texts of what is remembered of one column, in each of two generations. */
const lettersRemembered = 20_000_000;

/** Remembers what texts were decoded to, by their ids: as many as there may be, and no more than so many letters of them. */
function rememberOf(textOf: (id: number) => string): Remember {
  return (decode) => {
    type Kept = { readonly value: ReturnType<typeof decode>; readonly letters: number };
    const weights: Weights<number, Kept> = { of: (_id, { letters }) => letters, most: lettersRemembered };
    const valueOf = boundedMap<number, Kept>(remembered, weights);
    return (id) => {
      const known = valueOf.get(id);
      if (known !== undefined) return known.value;
      const stored = textOf(id);
      const value = decode(stored);
      valueOf.set(id, { value, letters: stored.length });
      return value;
    };
  };
}

/** Makes the reader of rows; `textOf` gives the text of an id. */
export function openObjectReader(textOf: (id: number) => string): ObjectReader {
  const remember = rememberOf(textOf);

  function readerOf(column: RecordColumn): (draft: ReturnType<typeof emptyDraft>, cell: Cell) => void {
    switch (column.holds) {
      case 'own':
        return (draft, cell) => column.put(draft, text(cell));
      case 'time':
        return (draft, cell) => column.put(draft, whole(cell));
      case 'shared': {
        const put = column.reader(textOf, remember);
        return (draft, cell) => put(draft, whole(cell));
      }
    }
  }

  const columns = recordColumns.map((column) => ({ orNull: column.orNull, read: readerOf(column) }));
  return {
    objectOf(ref, row, offset) {
      const draft = emptyDraft(ref);
      let index = offset;
      for (const { orNull, read } of columns) {
        const cell = row[index++];
        if (cell !== null || !orNull) read(draft, cell);
      }
      return draft.object;
    },
  };
}
