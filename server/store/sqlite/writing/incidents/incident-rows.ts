import type { SQLInputValue } from 'node:sqlite';
import { incidentCauseOf, incidentEndOf } from '../../../codec/incident-words.ts';
import { decodeRange, encodeRange } from '../../../codec/range-text.ts';
import { boundOf, verdictOf } from '../../../codec/traits.ts';
import type { IncidentState, IncidentStep } from '../../../record/incident/book.ts';
import { milliseconds, millisecondsOrNull, text, textOrNull, whole, wholeOrNull, type Row } from '../../rows/cells.ts';
import { standingColumns } from '../../rows/standing-columns.ts';
import type { Dictionary } from '../../rows/dictionary.ts';

/** Columns of `incident`, in the order that `stateOf` reads and `stateValues` gives. */
export const stateColumns = [
  'id',
  'public_id',
  'cause',
  'cause_type',
  'opened_at',
  'bound',
  'noticed_at',
  'closed_at',
  'ended',
  'merged_into',
  'merged_at',
  'worst',
  'reason',
  'commit_range',
  'returns',
  'open',
  'objects',
  'clusters',
  'most_objects',
  'most_clusters',
  'members',
  'object_time',
  'changed_at',
  'grown_at',
  'left_at',
] as const;

/** The incident in a row of `stateColumns`. */
export function stateOf(row: Row, textOf: (id: number) => string): IncidentState {
  const range = wholeOrNull(row[13]);
  return {
    row: whole(row[0]),
    id: text(row[1]),
    cause: incidentCauseOf(textOf(whole(row[2]))),
    openedAt: whole(row[4]),
    bound: boundOf(text(row[5])),
    noticedAt: whole(row[6]),
    closedAt: wholeOrNull(row[7]),
    ended: incidentEndOf(textOrNull(row[8])),
    mergedInto: wholeOrNull(row[9]),
    mergedAt: wholeOrNull(row[10]),
    worst: verdictOf(text(row[11])) ?? 'diverged',
    reason: textOf(whole(row[12])),
    range: range === null ? null : decodeRange(textOf(range)),
    returns: whole(row[14]),
    open: whole(row[15]),
    objects: whole(row[16]),
    clusters: whole(row[17]),
    mostObjects: whole(row[18]),
    mostClusters: whole(row[19]),
    members: whole(row[20]),
    objectTime: whole(row[21]),
    changedAt: whole(row[22]),
    grownAt: whole(row[23]),
    leftAt: whole(row[24]),
  };
}

/** The values of `stateColumns`. */
export function stateValues(state: IncidentState, dictionary: Dictionary): readonly SQLInputValue[] {
  const { row, id, cause, mergedInto, mergedAt, open, changedAt, grownAt, leftAt } = state;
  return [
    row,
    id,
    dictionary.text(JSON.stringify(cause)),
    cause.type,
    milliseconds(state.openedAt),
    state.bound,
    milliseconds(state.noticedAt),
    millisecondsOrNull(state.closedAt),
    state.ended,
    mergedInto,
    millisecondsOrNull(mergedAt),
    state.worst,
    dictionary.text(state.reason),
    dictionary.textOrNull(state.range && encodeRange(state.range)),
    state.returns,
    open,
    state.objects,
    state.clusters,
    state.mostObjects,
    state.mostClusters,
    state.members,
    milliseconds(state.objectTime),
    milliseconds(changedAt),
    milliseconds(grownAt),
    milliseconds(leftAt),
  ];
}

/** Columns of `incident_step`, in the order that `stepValues` gives. */
export const stepColumns = ['incident', 'type', 'at', ...standingColumns] as const;

/** The values of `stepColumns`. */
export function stepValues(step: IncidentStep, dictionary: Dictionary): readonly SQLInputValue[] {
  return [
    step.incident,
    step.type,
    milliseconds(step.at),
    dictionary.text(JSON.stringify(step.cause)),
    step.worst,
    dictionary.text(step.reason),
    dictionary.textOrNull(step.range && encodeRange(step.range)),
    milliseconds(step.openedAt),
    step.bound,
    milliseconds(step.noticedAt),
    millisecondsOrNull(step.closedAt),
    step.ended,
    step.returns,
    step.objects,
    step.clusters,
    step.mostObjects,
    step.mostClusters,
    step.members,
    milliseconds(step.objectTime),
    step.into,
  ];
}
