import { failsAtRevision } from '#lib/domain/record/commit-range.ts';
import { isAway } from '#lib/domain/guarantee/guarantee.ts';
import type { Incident } from '#lib/domain/record/incident.ts';
import { verdictRank } from '#lib/domain/verdict/verdict.ts';
import type { RecordReader } from '#server/store/port/record-port.ts';

/** More changes of verdict of one incident than that are not looked through. */
const spansOfIncident = 1_000;

/** An incident as it stood at `at` (ms): neither its end, nor what was worse later, nor where it broke before it failed was known then. */
export async function incidentAsOf(record: RecordReader, incident: Incident, at: number): Promise<Incident> {
  if (incident.closedAt !== null && incident.closedAt <= at) return incident;
  const spans = await record.spans(incident.ref, { from: incident.noticedAt, to: at + 1 }, spansOfIncident);
  const own = spans.filter(({ uid, verdict }) => uid === incident.uid && isAway(verdict));
  const [worst] = own.toSorted((a, b) => verdictRank(a.verdict) - verdictRank(b.verdict));
  const known = worst && { worst: worst.verdict, reason: worst.reason, rootCause: worst.rootCause };
  const range = own.some(({ verdict }) => failsAtRevision(verdict)) ? incident.range : null;
  return { ...incident, ...known, range, closedAt: null, ended: null };
}
