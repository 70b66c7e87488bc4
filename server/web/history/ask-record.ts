import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Period } from '#lib/domain/record/span.ts';
import type { RecordReader, RecordScope } from '#server/store/port/record-port.ts';
import type { KnownCluster } from '../cache/known-cluster.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { isRefused, refuse, unreadable, type Refused } from '../http/problem.ts';
import { missingInRecord } from '../requested/not-there.ts';
import type { WireContext } from '../wire/wire-context.ts';
import { periodOf } from './period.ts';
import { clustersKept, groupsOf, scopesOf, type RecordFilter } from './record-scope.ts';

/** `label`: of clusters, where they can be named by their labels. */
type PeriodFilter = RecordFilter & Parameters<typeof periodOf>[0] & { readonly label?: string };

/** A question over the record that can be asked: its scopes and its period. `find` gives an object as known at `context.now`. */
export interface RecordQuestion {
  readonly record: RecordReader;
  readonly scopes: readonly RecordScope[];
  readonly period: Period;
  readonly clusters: readonly KnownCluster[];
  readonly find: (ref: ObjectRef) => KnownObject | null;
  readonly context: WireContext;
}

/** Asks the record what a filter names, or says why that cannot be asked; a record that fails meanwhile is unreadable. */
export async function askRecord<Answer extends object>(
  moment: KnownMoment,
  filter: PeriodFilter,
  make: (question: RecordQuestion) => Answer | Promise<Answer>,
): Promise<Answer | Refused> {
  try {
    const question = await questionOf(moment, filter);
    return isRefused(question) ? question : await make(question);
  } catch {
    return unreadable;
  }
}

async function questionOf(moment: KnownMoment, filter: PeriodFilter): Promise<RecordQuestion | Refused> {
  const record = moment.reader()?.record;
  const now = moment.now();
  if (!record) return unreadable;
  const period = periodOf(filter, now);
  if ('type' in period) return refuse(period);
  const clusters = moment.fleet.all(now);
  const { cluster, group, kind, namespace, name, label = '' } = filter;
  const refusal = await missingInRecord(clusters, { cluster, label, group, kind, namespace, name }, record, now);
  if (refusal !== null) return refusal;
  const groups = await groupsOf(filter, clusters, record, now);
  const scopes = scopesOf(filter, groups, clustersKept({ cluster, label }, clusters));
  return { record, period, clusters, scopes, find: (ref) => moment.find(ref, now), context: moment.context(now) };
}
