import { CorrectionFilter, type WireCorrectionList } from '#lib/api/correction.ts';
import { HistoryQuery, type WireHistory } from '#lib/api/history.ts';
import { IncidentFilter, type WireIncidentList } from '#lib/api/incident.ts';
import type { RecordQueries } from './record-queries.ts';

type Params = Readonly<Record<string, string>>;

/** Timelines to send with a page, and what they answer; null where they cannot be had. */
export async function sentHistory(
  queries: Pick<RecordQueries, 'history'>,
  params: Params,
): Promise<{ readonly params: Params; readonly history: WireHistory | null }> {
  const query = HistoryQuery.safeParse(params);
  const answer = query.success ? await queries.history(query.data) : null;
  return { params, history: answer === null || 'type' in answer ? null : answer };
}

/** The first page of a list of incidents, likewise. */
export async function sentIncidents(
  queries: Pick<RecordQueries, 'incidents'>,
  params: Params,
): Promise<{ readonly params: Params; readonly list: WireIncidentList | null }> {
  const filter = IncidentFilter.safeParse(params);
  const answer = filter.success ? await queries.incidents(filter.data) : null;
  return { params, list: answer === null || 'type' in answer ? null : answer };
}

/** The first page of the ledger of corrections, likewise. */
export async function sentCorrections(
  queries: Pick<RecordQueries, 'corrections'>,
  params: Params,
): Promise<{ readonly params: Params; readonly list: WireCorrectionList | null }> {
  const filter = CorrectionFilter.safeParse(params);
  const answer = filter.success ? await queries.corrections(filter.data) : null;
  return { params, list: answer === null || 'type' in answer ? null : answer };
}
