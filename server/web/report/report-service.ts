import {
  ReportQuery,
  verdictsIn,
  type ArrivalsQuery,
  type SpansQuery,
  type WireArrivalList,
  type WireReport,
  type WireSpanList,
} from '#lib/api/report.ts';
import type { LoadedRules } from '#lib/domain/alarm/coverage/loaded-rules.ts';
import type { ReportScope } from '#lib/report/answers.ts';
import { readPeriod } from '#lib/domain/time/report-period.ts';
import type { RecordReader } from '#server/store/port/record-port.ts';
import { vouchedUntil } from '../history/period.ts';
import { clustersKept, groupsOf, severalGroups } from '../history/record-scope.ts';
import { isRefused, refuse, unreadable, type Refused } from '../http/problem.ts';
import { missingInRecord, type PresentObjects } from '../requested/not-there.ts';
import { askReport, type PeriodQuestion } from './ask-report.ts';
import { arrivalList, spanList } from './report-lists.ts';

/** Answers questions about periods of the record. */
export interface ReportService {
  /**
   * Asks for the reports that are asked for first, where the store can be read: what of the record it is made of is in memory then, and a
   * reader's first report takes as long as any other. Its answer is nobody's, and its failure too.
   */
  prepare(): Promise<void>;
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

/** A cluster as it is now; what is not known but for its objects has no labels. */
type PresentCluster = PresentObjects & { readonly record: LabelledCluster | null };

/** Sources of reports. */
export interface ReportServiceDeps {
  /** null while the store cannot be read. */
  readonly record: () => RecordReader | null;
  /** For labels, for how far the record goes, and for the groups of a kind. */
  readonly clusters: () => Iterable<PresentCluster> | Promise<Iterable<PresentCluster>>;
  readonly now: () => number;
  /** ms */
  readonly alarmWithin: number;
  readonly simulated: boolean;
  readonly version: string;
  /** Rules that are loaded and read objects of these clusters; null or absent where that is not known. */
  readonly rules?: (clusters: ReadonlySet<string>) => LoadedRules | null;
}

/** Makes the service. A record that fails while it is asked is unreadable; the follower tells why in the summary. */
export function reportService(deps: ReportServiceDeps): ReportService {
  async function answer<Answer>(
    query: ReportQuery,
    make: (question: PeriodQuestion, clusters: ReadonlySet<string>) => Promise<Answer | Refused>,
  ): Promise<Answer | Refused> {
    const asOf = deps.now();
    const read = readPeriod(query, asOf);
    if (read.type === 'wrong') return refuse({ ...read, type: 'bad-parameter' });
    const record = deps.record();
    if (record === null) return unreadable;
    const clusters = [...(await deps.clusters())];
    const named = await kindOf(query, clusters, record, asOf).catch(() => unreadable);
    if (isRefused(named)) return named;
    const known = clusters.flatMap((cluster) => cluster.record ?? []);
    const scope = scopeOf(query, named.kind, known);
    const { from, to } = read.period;
    const until = Math.min(to, vouchedUntil(known, scope.clusters));
    const period = { ...read.period, to: Math.max(from, until) };
    const { simulated } = deps;
    const names = new Set(known.map(({ name }) => name));
    return make({ record, period, scope, asOf, simulated }, names).catch(() => unreadable);
  }

  const report: ReportService['report'] = (query) =>
    answer(query, ({ record, ...question }, names) => {
      const { alarmWithin, version } = deps;
      const rules = deps.rules?.(names) ?? null;
      return askReport(record, { ...question, alarmWithin, version, rules });
    });

  return {
    async prepare() {
      // The longest first: who asks meanwhile waits for one of them, and the other is part of it.
      for (const period of ['last-90-days', 'last-30-days'] as const) await report(ReportQuery.parse({ period }));
    },
    report,
    spans: (query) => answer(query, (question) => spanList(question, verdictsIn(query.verdict), query)),
    arrivals: (query) => answer(query, (question) => arrivalList(question, query.limit)),
  };
}

/** The kind that a query names, null for any; refuses names that are nowhere, and a kind of several groups. */
async function kindOf(
  query: ReportQuery,
  clusters: readonly PresentCluster[],
  record: RecordReader,
  now: number,
): Promise<Pick<ReportScope, 'kind'> | Refused> {
  const named = clusters.flatMap(({ record: cluster, objects }) =>
    cluster === null ? [] : { name: cluster.name, labels: cluster.labels, objects, feeds: [], reconcilers: [] },
  );
  const missing = await missingInRecord(named, query, record, now);
  if (missing !== null) return missing;
  const { kind } = query;
  const groups = await groupsOf(query, clusters, record, now);
  const [group = ''] = groups;
  return severalGroups(kind, groups) ?? { kind: kind === '' ? null : { group, kind } };
}

/** Which clusters a query names: by name, by label, or both; a label is resolved to the clusters that carry it now. */
function scopeOf(query: ReportQuery, kind: ReportScope['kind'], known: readonly LabelledCluster[]): ReportScope {
  const { cluster, label } = query;
  return { clusters: clustersKept(query, known), cluster, label, kind };
}
