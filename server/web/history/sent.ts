import { CorrectionFilter, type WireCorrectionList } from '#lib/api/correction.ts';
import { HistoryQuery, type WireHistory } from '#lib/api/history.ts';
import { IncidentFilter, type WireIncidentList } from '#lib/api/incident.ts';
import type { WireNotThere } from '#lib/api/not-there.ts';
import type { NotThere } from '../requested/not-there.ts';
import type { RecordQueries } from './record-queries.ts';

type Params = Readonly<Record<string, string>>;

/** A part of the record to send with a page, and what it answers: null where it cannot be had; names that were asked for in vain. */
interface Sent {
  readonly params: Params;
  readonly notThere: readonly WireNotThere[];
}

/** Timelines to send with a page. */
export async function sentHistory(
  queries: Pick<RecordQueries, 'history'>,
  params: Params,
): Promise<Sent & { readonly history: WireHistory | null }> {
  const query = HistoryQuery.safeParse(params);
  const answer = query.success ? await queries.history(query.data) : null;
  return { params, history: answer === null || 'type' in answer ? null : answer, notThere: missingIn(answer) };
}

/** The first page of a list of incidents, likewise. */
export async function sentIncidents(
  queries: Pick<RecordQueries, 'incidents'>,
  params: Params,
): Promise<Sent & { readonly list: WireIncidentList | null }> {
  const filter = IncidentFilter.safeParse(params);
  const answer = filter.success ? await queries.incidents(filter.data) : null;
  return { params, list: answer === null || 'type' in answer ? null : answer, notThere: missingIn(answer) };
}

/** The first page of the ledger of corrections, likewise. */
export async function sentCorrections(
  queries: Pick<RecordQueries, 'corrections'>,
  params: Params,
): Promise<Sent & { readonly list: WireCorrectionList | null }> {
  const filter = CorrectionFilter.safeParse(params);
  const answer = filter.success ? await queries.corrections(filter.data) : null;
  return { params, list: answer === null || 'type' in answer ? null : answer, notThere: missingIn(answer) };
}

function missingIn(answer: object | NotThere | null): readonly WireNotThere[] {
  return answer !== null && 'type' in answer && answer.type === 'not-there' && 'names' in answer ? answer.names : [];
}
