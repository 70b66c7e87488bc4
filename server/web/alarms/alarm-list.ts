import type { AlarmsQuery, WireAlarms, WireAlarmSource, WireFinding } from '#lib/api/alarm/alarms.ts';
import { wordsOf } from '#lib/api/params.ts';
import { listPath } from '#lib/api/paths.ts';
import type { WireNotThere } from '#lib/api/refusals/not-there.ts';
import { cutKinds } from '#lib/domain/alarm/alarming/bounds.ts';
import {
  findingTypes,
  type AlarmCoveragePage,
  type AlarmFinding,
  type KindCoverage,
  type ReachCount,
} from '#lib/domain/alarm/finding.ts';
import { isBelieved, type AlarmSource, type ProgramStanding } from '#lib/domain/alarm/source.ts';
import { compareText } from '#lib/domain/observation/compare-text.ts';
import type { KnownCluster } from '../cache/known-cluster.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { isRefused, type Refused } from '../http/problem.ts';
import { namesFrom, namesIn, notThere, refusalOf } from '../requested/not-there.ts';
import { csvHeader, csvPieces, type CsvColumns } from '../wire/lists/csv.ts';
import { wireTime, wireTimeOrNull } from '../wire/wire-time.ts';
import { kindRows, sumsOf, worstFirst } from './kind-rows.ts';
import { notificationsAt } from './notifications.ts';
import { silentCauses } from './silent-causes.ts';

const most = { sources: 200, clusters: 100, kinds: 500, alike: 20, named: 20 } as const;

/** The page of alarms at a moment, filtered. Names that are not there are refused. */
export async function alarmList(moment: KnownMoment, query: AlarmsQuery): Promise<WireAlarms | Refused> {
  const now = moment.now();
  const page = await coverageOf(moment, query, now);
  if (isRefused(page)) return page;
  const { silent: _, ...totals } = sumsOf(page.kinds);
  const kinds = kindRows(page.kinds, query.limit);
  const findings = findingGroups(page.findings, query);
  return {
    asOf: wireTime(now),
    unknown: page.unknown,
    sources: page.sources.slice(0, most.sources).map((source) => wireSource(source, now)),
    sourcesTotal: page.sources.length,
    cut: cutOf(moment.fleet.all(now), query),
    totals,
    kinds: kinds.slice(0, most.kinds),
    kindsTotal: kinds.length,
    findings,
    findingsTotal: findings.reduce((sum, { total }) => sum + total, 0),
    ...silentCauses(page.silent, query),
    notifications: await notificationsAt(moment, query, now),
  };
}

/** Kinds that say who is called of which not all is kept, with their clusters, of those that are asked for. */
function cutOf(clusters: readonly KnownCluster[], { cluster }: Pick<AlarmsQuery, 'cluster'>): WireAlarms['cut'] {
  const named = new Set(wordsOf(cluster));
  const found = clusters
    .filter(({ name }) => named.size === 0 || named.has(name))
    .flatMap(({ name, alarming }) => cutKinds(alarming).map((kind) => ({ name, kind })));
  return [...Map.groupBy(found, ({ kind }) => kind)].map(([kind, of]) => {
    const names = of.map(({ name }) => name).toSorted(compareText);
    return { kind, clusters: names.slice(0, most.named), clustersTotal: names.length };
  });
}

/** Coverage of the part of the fleet that a query keeps. */
async function coverageOf(moment: KnownMoment, query: AlarmsQuery, now: number): Promise<AlarmCoveragePage | Refused> {
  const clusters = moment.fleet.all(now);
  const page = await moment.coverage(now);
  const all = moment.alarms.sources();
  const refused = refusalOf(missingOf(query, clusters, page.unknown, all));
  if (refused !== null) return refused;
  const { group, kind } = query;
  const named = new Set(wordsOf(query.cluster));
  const sources = new Set(wordsOf(query.source));
  const asked = all.filter(({ name }) => sources.size === 0 || sources.has(name));
  const keeps = (of: { readonly cluster: string; readonly group: string; readonly kind: string }): boolean =>
    (named.size === 0 || named.has(of.cluster)) &&
    (kind === '' || of.kind === kind) &&
    (group === '' || of.group === (group === '-' ? '' : group));
  const told = asked.filter((each) => named.size === 0 || [...named].some((name) => speaksFor(each, name)));
  const tells = new Set(told.map(({ name }) => name));
  return {
    unknown: page.unknown,
    sources: told.toSorted((a, b) => compareText(a.name, b.name)),
    kinds: page.kinds.filter(keeps),
    findings: page.findings.filter(({ source }) => tells.has(source)),
    // Who asks for all gets the list of the kept page: its causes are known.
    silent: named.size === 0 && kind === '' && group === '' ? page.silent : page.silent.filter(({ ref }) => keeps(ref)),
  };
}

/** Names asked for that are not there. */
function missingOf(
  { cluster, group, kind, source }: AlarmsQuery,
  clusters: readonly KnownCluster[],
  unknown: AlarmCoveragePage['unknown'],
  sources: readonly AlarmSource[],
): readonly WireNotThere[] {
  const names = notThere({ cluster, group, kind }, namesIn(clusters));
  // Which sources there were is not kept.
  if (unknown !== null && unknown !== 'none') return names;
  return [
    ...names,
    ...notThere(
      { source },
      namesFrom(() => sources.map(({ name }) => name)),
    ),
  ];
}

/** A source without clusters of its own speaks for those that its label names: it may be any. */
function speaksFor({ attribution: { clusters } }: AlarmSource, cluster: string): boolean {
  return clusters.length === 0 || clusters.includes(cluster);
}

function findingGroups(findings: readonly AlarmFinding[], { finding, limit }: AlarmsQuery): WireAlarms['findings'] {
  const types = new Set<string>(wordsOf(finding));
  const byType = Map.groupBy(findings, ({ type }) => type);
  return findingTypes.flatMap((type) => {
    const of = byType.get(type) ?? [];
    if (of.length === 0 || (types.size > 0 && !types.has(type))) return [];
    const lines = [...Map.groupBy(of, alikeKey).values()];
    return [{ type, total: of.length, lines: lines.length, findings: lines.slice(0, limit).flatMap(wireFindings) }];
  });
}

/** Findings with one key are of one title and one mend: they are told once. */
function alikeKey({ source, title, mend }: AlarmFinding): string {
  return JSON.stringify([source, title, mend]);
}

function wireFindings([first, ...others]: readonly AlarmFinding[]): readonly WireFinding[] {
  if (first === undefined) return [];
  return [{ ...wireFinding(first), alike: others.length, others: others.slice(0, most.alike).map(({ text }) => text) }];
}

function wireFinding(finding: AlarmFinding): Omit<WireFinding, 'alike' | 'others'> {
  const { type, source, title, text, mend, at, objects, list, alert, rule } = finding;
  const href = list === undefined ? null : listPath(list);
  return { type, source, title, text, mend, at: wireTimeOrNull(at), objects, href, alert, rule };
}

function wireSource({ name, attribution, programs, cut }: AlarmSource, now: number): WireAlarmSource {
  const { label, clusters } = attribution;
  return {
    name,
    label,
    clusters: clusters.slice(0, most.clusters),
    clustersTotal: clusters.length,
    programs: programs.map((program) => wireProgram(program, now)),
    cut: [...cut],
  };
}

function wireProgram(standing: ProgramStanding, now: number): WireAlarmSource['programs'][number] {
  const { program, url, state, since, reason, readAt, validUntil } = standing;
  const told = { program, url, readAt: wireTimeOrNull(readAt) };
  if (state !== 'live' || isBelieved(standing, now)) return { ...told, state, since: wireTime(since), reason };
  return { ...told, state: 'old', since: wireTime(validUntil), reason: 'Nothing was heard of it for too long.' };
}

const columns: CsvColumns<KindCoverage> = {
  cluster: ({ cluster }) => cluster,
  group: ({ group }) => group,
  kind: ({ kind }) => kind,
  objects: ({ objects }) => objects,
  away: ({ away }) => away,
  silent: ({ silent }) => silent,
  exported: ({ exported }) => knownCount(exported),
  ruled: ({ ruled }) => knownCount(ruled),
  routed: ({ routed }) => knownCount(routed),
  rules: ({ rules }) => rules.join('; '),
  receivers: ({ receivers }) => receivers.join('; '),
  firedAt: ({ firedAt }) => wireTimeOrNull(firedAt),
  unknown: ({ why }) => why,
};

/** Every kind on every cluster that a query keeps, as lines of CSV, the worst first. */
export async function alarmCsv(moment: KnownMoment, query: AlarmsQuery): Promise<Generator<string> | Refused> {
  const page = await coverageOf(moment, query, moment.now());
  return isRefused(page) ? page : linesOf(worstFirst(page.kinds));
}

function* linesOf(rows: readonly KindCoverage[]): Generator<string> {
  yield csvHeader(columns);
  yield* csvPieces(columns, rows);
}

/** The objects of which a step is whole; null where that is not known of all of them. */
function knownCount({ yes, unknown }: ReachCount): number | null {
  return unknown > 0 ? null : yes;
}
