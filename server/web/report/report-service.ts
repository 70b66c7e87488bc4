import {
  verdictsIn,
  type ArrivalsQuery,
  type ReportQuery,
  type SpansQuery,
  type WireArrivalList,
  type WireReport,
  type WireSpanList,
} from '#lib/api/report.ts';
import { parseLabels } from '#lib/domain/matrix/matrix-view.ts';
import type { ReportScope } from '#lib/report/answers.ts';
import { readPeriod } from '#lib/domain/time/report-period.ts';
import type { RecordReader } from '#server/store/port/record-port.ts';
import { vouchedUntil } from '../history/period.ts';
import { clustersOf } from '../history/record-scope.ts';
import { refuse, unreadable, type Refused } from '../http/problem.ts';
import { namesOfClusters, notRecorded, notThere, recordedGroups, refusalOf } from '../requested/not-there.ts';
import { askReport, type PeriodQuestion } from './ask-report.ts';
import { arrivalList, spanList } from './report-lists.ts';

/** Answers questions about periods of the record. */
export interface ReportService {
  report(query: ReportQuery): Promise<WireReport | Refused>;
  /** Spans that the object time of a report is made of. */
  spans(query: SpansQuery): Promise<WireSpanList | Refused>;
  arrivals(query: ArrivalsQuery): Promise<WireArrivalList | Refused>;
}

/** A cluster as it is labelled now. */
interface LabelledCluster {
  readonly name: string;
  readonly labels: { readonly [key: string]: string };
  /** Up to when (ms) somebody vouches for what is recorded of it; absent where that is not known. */
  readonly validUntil?: number;
}

/** Sources of reports. */
export interface ReportServiceDeps {
  /** null while the store cannot be read. */
  readonly record: () => RecordReader | null;
  /** For labels, and for how far the record goes. */
  readonly clusters: () => readonly LabelledCluster[] | Promise<readonly LabelledCluster[]>;
  readonly now: () => number;
  /** ms */
  readonly alarmWithin: number;
  readonly simulated: boolean;
  readonly version: string;
}

/** Makes the service. A record that fails while it is asked is unreadable; the follower tells why in the head. */
export function reportService(deps: ReportServiceDeps): ReportService {
  async function answer<Answer>(
    query: ReportQuery,
    make: (question: PeriodQuestion) => Promise<Answer | Refused>,
  ): Promise<Answer | Refused> {
    const asOf = deps.now();
    const read = readPeriod(query, asOf);
    if (read.type === 'wrong') return refuse({ ...read, type: 'bad-parameter' });
    const record = deps.record();
    if (record === null) return unreadable;
    const known = await deps.clusters();
    const missing = notThere(query, namesOfClusters(known));
    const refusal = await notRecorded(missing, record, asOf).then(refusalOf, () => unreadable);
    if (refusal !== null) return refusal;
    const group = await groupOf(query, record, asOf).catch(() => unreadable);
    if (typeof group !== 'string') return group;
    const scope = scopeOf({ ...query, group }, known);
    const { from, to } = read.period;
    const until = Math.min(to, vouchedUntil(known, scope.clusters));
    const period = { ...read.period, to: Math.max(from, until) };
    const { simulated } = deps;
    return make({ record, period, scope, asOf, simulated }).catch(() => unreadable);
  }

  return {
    report: (query) =>
      answer(query, ({ record, ...question }) => {
        const { alarmWithin, version } = deps;
        return askReport(record, { ...question, alarmWithin, version });
      }),
    spans: (query) => answer(query, (question) => spanList(question, verdictsIn(query.verdict), query)),
    arrivals: (query) => answer(query, (question) => arrivalList(question, query.limit)),
  };
}

/** The API group of the kind that a query names, "-" for the core group: where it names none, that which the record has of the kind. */
async function groupOf({ group, kind }: ReportQuery, record: RecordReader, now: number): Promise<string | Refused> {
  if (kind === '' || group !== '') return group;
  const [only = '', ...others] = await recordedGroups(record, kind, { from: 0, to: now });
  if (others.length === 0) return only === '' ? '-' : only;
  const named = [only, ...others].map((one) => (one === '' ? '-' : one)).join(', ');
  return refuse({
    type: 'bad-parameter',
    name: 'group',
    message: `${kind} is a kind of several groups, name one: ${named}`,
  });
}

/** Which clusters a query names: by name, by label, or both; a label is resolved to the clusters that carry it now. */
export function scopeOf(query: ReportQuery, known: readonly LabelledCluster[]): ReportScope {
  const { cluster, label, group, kind } = query;
  const names = clustersOf(query);
  const labels = parseLabels(label) ?? [];
  const labelled = known.filter(({ labels: own }) => labels.every(([key, value]) => own[key] === value));
  const kept = labelled.map(({ name }) => name).filter((name) => names === null || names.includes(name));
  return {
    clusters: label === '' ? names : kept.toSorted(),
    cluster,
    label,
    kind: kind === '' ? null : { group: group === '-' ? '' : group, kind },
  };
}
