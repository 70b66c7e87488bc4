import type { Cause } from '#lib/domain/verdict/judgement.ts';
import { boundedMemo } from '../../../../../runtime/bounded-map.ts';
import { incidentCauseOf, incidentEndOf } from '../../../../codec/incident-words.ts';
import { decodeRange } from '../../../../codec/range-text.ts';
import { boundOf, verdictOf } from '../../../../codec/traits.ts';
import type { IncidentStep } from '../../../../record/incident/book.ts';
import { standingColumns } from '../../../rows/standing-columns.ts';
import { text, textOrNull, whole, wholeOrNull, type Row } from '../../../rows/cells.ts';
import type { Scopes } from '../record-scope.ts';

/** Way in which an incident stands, or stood, from `at` on. */
export type Standing = Omit<IncidentStep, 'type'>;

/** Columns of how an incident stands now, of the table `incident i`, in the order that `openStandings` reads. */
export const incidentColumns = ['id', 'changed_at', ...standingColumns].map((column) => `i.${column}`).join(', ');

/** Columns of how one stood, of the table `incident_step s`, in the same order. */
export const stepColumns = ['incident', 'at', ...standingColumns].map((column) => `s.${column}`).join(', ');

/** Number of those columns. */
export const standingWidth = standingColumns.length + 2;

const causesRemembered = 5_000;

/** Reads how incidents stand from rows that begin with `incidentColumns` or `stepColumns`. */
export type Standings = ReturnType<typeof openStandings>;

/** Prepares the reading of rows. */
export function openStandings({ textOf }: Pick<Scopes, 'textOf'>) {
  const causeOf = boundedMemo(causesRemembered, (id: number): Cause => incidentCauseOf(textOf(id)));

  return {
    /** The cause of a text's id. */
    causeOf,
    standingOf(row: Row): Standing {
      const range = wholeOrNull(row[5]);
      return {
        incident: whole(row[0]),
        at: whole(row[1]),
        cause: causeOf(whole(row[2])),
        worst: verdictOf(text(row[3])) ?? 'diverged',
        reason: textOf(whole(row[4])),
        range: range === null ? null : decodeRange(textOf(range)),
        openedAt: whole(row[6]),
        bound: boundOf(text(row[7])),
        noticedAt: whole(row[8]),
        closedAt: wholeOrNull(row[9]),
        ended: incidentEndOf(textOrNull(row[10])),
        returns: whole(row[11]),
        objects: whole(row[12]),
        clusters: whole(row[13]),
        mostObjects: whole(row[14]),
        mostClusters: whole(row[15]),
        members: whole(row[16]),
        objectTime: whole(row[17]),
        into: wholeOrNull(row[18]),
      };
    },
  };
}
