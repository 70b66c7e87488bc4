import { lengthOf } from '#lib/domain/record/flat-stretches.ts';
import type { Period } from '#lib/domain/record/span.ts';
import type { WallClock } from '../../../port/record-port.ts';
import { seenBy } from '../../../record/seen-time.ts';
import { longestAway, wallClockOf } from '../../../record/wall-clock.ts';
import { openApplications, type Application } from '../applications.ts';
import { openAwayTimes } from '../away-times.ts';
import { clusterItself, type GapReader } from './record-gaps.ts';
import type { RollupReader } from './record-rollups.ts';
import type { ScopeIds, Scopes } from './record-scope.ts';
import type { ScopePieces } from '../steps/scope-pieces.ts';
import type { Steps } from '../steps/steps.ts';
import type { SharedPieces } from './shared-pieces.ts';

/** The wall clock over an open database: what is rolled up, and the spans of what is not. */
export function openWallClock(
  scopes: Scopes,
  gaps: GapReader,
  pieces: SharedPieces,
  rollups: RollupReader,
  eachPiece: ScopePieces,
): (scope: ScopeIds, period: Period, applications: number) => Steps<WallClock> {
  const awayIn = openAwayTimes(scopes, pieces, rollups, eachPiece);
  const applications = openApplications(scopes);

  /** Those that were away longest, by the ids of their kinds and clusters. */
  function longest(of: Iterable<Application>, limit: number, scope: ScopeIds, period: Period) {
    const timed = [...of].flatMap((application) => {
      const time = lengthOf(application.away.stretches());
      return time === 0 ? [] : [{ application, time, name: `${scopes.nameOf(application.kind)}/${application.name}` }];
    });
    const longest = longestAway(timed, limit);
    const clusters = applications.clustersOf(
      longest.map(({ application }) => application),
      scope,
      period,
    );
    return longest.map(({ application: { kind, name }, time }, position) => {
      const on = clusters[position] ?? new Set();
      return { ...scopes.kindOf(kind), name, away: time, on, of: kind };
    });
  }

  return function* (scope, period, limit) {
    const begun = new Map([...gaps.begun(scope)].filter(([, at]) => at < period.to));
    const asked = limit > 0 ? applications.within(scope) : null;
    const away = yield* awayIn(scope, period, asked);
    return wallClockOf(
      { ...away, applications: longest(asked?.asked() ?? [], limit, scope, period) },
      new Map([...begun.keys()].map((cluster) => [cluster, scopes.clusterName(cluster)])),
      seenBy({ begun, gapsOf: gaps.within(scope, period), period }),
      scope.kind ?? clusterItself,
    );
  };
}
