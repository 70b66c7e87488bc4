import type { DatabaseSync } from 'node:sqlite';
import type { Fault } from '#lib/domain/incident/fault.ts';
import { decodeFault, encodeFault } from '../../../codec/fault-text.ts';
import { prepare } from '../../database.ts';
import { oneRow, text } from '../../rows/cells.ts';
import type { Dictionary } from '../../rows/dictionary.ts';

/** Texts of the rows of incidents, remembered within one transaction at most: one that is rolled back takes its ids back. */
export type FaultTexts = ReturnType<typeof openFaultTexts>;

/** Prepares the statements over an open database. */
export function openFaultTexts(database: DatabaseSync, dictionary: Dictionary) {
  const read = prepare(database, 'SELECT text FROM text WHERE id = ?');
  let texts = new Map<number, string>();
  let faults = new Map<number, Fault>();

  function textOf(id: number): string {
    const known = texts.get(id);
    if (known !== undefined) return known;
    const found = text(oneRow(read, id)[0]);
    texts.set(id, found);
    return found;
  }

  return {
    textOf,
    faultOf(id: number): Fault {
      const fault = faults.get(id) ?? decodeFault(textOf(id));
      faults.set(id, fault);
      return fault;
    },
    idOf: (fault: Fault): number => dictionary.text(encodeFault(fault)),
    /** A batch begins. */
    begin(): void {
      texts = new Map();
      faults = new Map();
    },
  };
}
