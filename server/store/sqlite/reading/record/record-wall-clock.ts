import { lengthOf } from '#lib/domain/record/flat-stretches.ts';
import type { ApplicationTime, WallTime } from '#lib/domain/record/figures.ts';
import type { RecordReader } from '../../../port/record-port.ts';
import { openApplications, type Application } from '../applications.ts';
import { openAwayTimes } from '../away-times.ts';
import { allRows, whole, wholeOrNull } from '../../rows/cells.ts';
import type { GapReader } from './record-gaps.ts';
import type { RollupReader } from './record-rollups.ts';
import { ofClusters, type ScopeIds, type Scopes } from './record-scope.ts';
import { seenBy } from '../seen-time.ts';
import type { SharedPieces } from './shared-pieces.ts';

/** Of a cluster itself, in place of the id of a kind. */
const wholeCluster = 0;

const none: ReadonlyMap<number, Application> = new Map();

/** The wall clock over an open database: what is rolled up, and the spans of what is not. */
export function openWallClock(
  scopes: Scopes,
  gaps: GapReader,
  pieces: SharedPieces,
  rollups: RollupReader,
): RecordReader['wallClock'] {
  const awayIn = openAwayTimes(pieces, rollups);
  const { byObject, clustersOf } = openApplications(scopes);

  /** When the record of each cluster began (ms), of those of which it began before a time. */
  function begunBefore(scope: ScopeIds, to: number): ReadonlyMap<number, number> {
    const { sql, parameters } = ofClusters(scope, 'c.id');
    const statement = scopes.statement(
      `SELECT c.id, (SELECT MIN(at) FROM coverage WHERE cluster = c.id) FROM cluster c WHERE ${sql}`,
    );
    const begun = new Map<number, number>();
    for (const row of allRows(statement, ...parameters)) {
      const at = wholeOrNull(row[1]);
      if (at !== null && at < to) begun.set(whole(row[0]), at);
    }
    return begun;
  }

  return async (scope, period, limit) => {
    const ids = scopes.resolve(scope);
    if (ids === null || period.from >= period.to)
      return { fleet: { away: 0, observed: 0 }, clusters: [], applications: [] };
    const begun = begunBefore(ids, period.to);
    const seen = seenBy({ begun, unseen: gaps.within(ids, period), period });
    const applications = limit > 0 ? byObject(ids) : none;
    const away = awayIn(ids, period, applications);
    const longest = awayLongest(new Set(applications.values()), limit, scopes.nameOf);
    const wheres = clustersOf(longest, period);
    const kind = ids.kind ?? wholeCluster;
    return {
      fleet: { away: away.fleet, observed: seen(begun.keys(), kind) },
      clusters: [...begun.keys()]
        .map((cluster): WallTime & { cluster: string } => ({
          cluster: scopes.clusterName(cluster),
          away: away.clusters.get(cluster) ?? 0,
          observed: seen([cluster], kind),
        }))
        .toSorted((a, b) => (a.cluster < b.cluster ? -1 : 1)),
      applications: longest.map((application, place): ApplicationTime => {
        const clusters = wheres[place] ?? new Set();
        const of = { ...scopes.kindOf(application.kind), name: application.name };
        const time = lengthOf(application.away.stretches());
        return { ...of, clusters: clusters.size, away: time, observed: seen(clusters, application.kind) };
      }),
    };
  };
}

/** Those that were away longest, the longest first. */
function awayLongest(
  applications: Iterable<Application>,
  limit: number,
  nameOf: (id: number) => string,
): readonly Application[] {
  return [...applications]
    .map((application) => ({ application, time: lengthOf(application.away.stretches()) }))
    .filter(({ time }) => time > 0)
    .toSorted((a, b) => b.time - a.time || byName(nameOf, a.application, b.application))
    .slice(0, limit)
    .map(({ application }) => application);
}

function byName(nameOf: (id: number) => string, a: Application, b: Application): number {
  const [one, other] = [a, b].map(({ kind, name }) => `${nameOf(kind)}/${name}`);
  return (one ?? '') < (other ?? '') ? -1 : 1;
}
