import { incidentEnds, type IncidentEnd } from '#lib/domain/incident/incident.ts';
import type { Cause } from '#lib/domain/verdict/judgement.ts';
import { decodeCause } from './decode.ts';

/** Stands for a cause that another version wrote. */
const unknownCause: Cause = { type: 'cluster', cluster: '' };
const endNamed: ReadonlyMap<string, IncidentEnd> = new Map(incidentEnds.map((end) => [end, end]));

/** The end of a stored word; null while it lasts. */
export function incidentEndOf(stored: string | null): IncidentEnd | null {
  return endNamed.get(stored ?? '') ?? null;
}

/** The cause of an incident from its stored text. */
export function incidentCauseOf(stored: string): Cause {
  return decodeCause(stored) ?? unknownCause;
}
