import type { Fault } from '#lib/domain/incident/fault.ts';
import { boundedMemo } from '../../../../../runtime/bounded-map.ts';
import { decodeFault } from '../../../../codec/fault-text.ts';
import { firstRow, firstWhole, whole } from '../../../rows/cells.ts';
import type { Scopes } from '../record-scope.ts';

const faultsRemembered = 5_000;

/** Reads faults as they were recorded. */
export type FaultReader = ReturnType<typeof openFaultReader>;

/** Prepares the reading of faults over an open database. */
export function openFaultReader(scopes: Scopes) {
  const later = scopes.statement(
    'SELECT 1 FROM incident_member INDEXED BY incident_member_fault WHERE fault_at > ? LIMIT 1',
  );
  const told = scopes.statement(
    `SELECT id, fault FROM fault INDEXED BY fault_subject
     WHERE subject = ? AND id < ? AND at <= ? AND fault IS NOT NULL ORDER BY id DESC LIMIT 1`,
  );
  const faultOf = boundedMemo(faultsRemembered, (id: number): Fault => decodeFault(scopes.textOf(id)));

  return {
    /** The fault of a text's id. */
    faultOf,
    /** True if a fault of any member was recorded after a moment (ms). */
    anyAfter: (at: number): boolean => firstWhole(later, at) !== null,
    /** The last fault of a subject up to a moment (ms), one that opens before one that does not; null where none is kept. */
    faultAt(subject: number, at: number): Fault | null {
      let last: Fault | null = null;
      for (let before = Number.MAX_SAFE_INTEGER; ;) {
        const row = firstRow(told, subject, before, at);
        if (row === null) return last;
        const fault = faultOf(whole(row[1]));
        if (fault.opens) return fault;
        last ??= fault;
        before = whole(row[0]);
      }
    },
  };
}
