import { notConfigured, type AlarmCall, type AlarmCoverage } from '#lib/domain/alarm/call.ts';
import { endOfCall } from '#server/store/record/alarm/known-call.ts';
import { addOnce, type Growing } from './growing.ts';

/** Adds a call, or gives the one that is there its end, once. */
export function putCall({ calls }: Growing, call: AlarmCall): void {
  const { source, key, from } = call;
  const to = call.to === null ? null : endOfCall(from, call.to);
  const place = calls.findIndex((other) => other.source === source && other.key === key && other.from === from);
  const known = calls[place];
  if (known === undefined) calls.push({ ...call, to });
  else calls[place] = { ...known, to: known.to ?? to };
}

/** Adds what is told of when a source could be read, once. */
export function putAlarmCoverage({ alarmCoverage }: Growing, point: AlarmCoverage): void {
  addOnce(alarmCoverage, point, (other) => {
    const isSame = other.source === point.source && other.at === point.at && other.read === point.read;
    return isSame && JSON.stringify(other.clusters) === JSON.stringify(point.clusters);
  });
}

/** The source is configured no longer from `at` (ms) on. */
export function endCalls(record: Growing, source: string, at: number): void {
  for (const [place, call] of record.calls.entries())
    if (call.source === source && call.to === null) record.calls[place] = { ...call, to: endOfCall(call.from, at) };
  const own = record.alarmCoverage.filter((point) => point.source === source).toSorted((a, b) => a.at - b.at);
  const clusters = own.at(-1)?.clusters ?? [];
  putAlarmCoverage(record, { source, at, read: false, clusters, reason: notConfigured });
}
