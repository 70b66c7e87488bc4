import type { KnownAlarms } from '#lib/domain/alarm/chain.ts';
import type { AlarmCoveragePage, AlarmReach, KindCoverage, ReachCount, ReachStep } from '#lib/domain/alarm/finding.ts';
import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import { guaranteeOf, isAway, type Policy } from '#lib/domain/guarantee/guarantee.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';

/** Parts that are told of alarms, beside those of the objects. */
interface Told extends Partial<Pick<AlarmCoveragePage, 'sources' | 'findings' | 'unknown'>> {
  readonly reachOf: (object: CurrentObject) => AlarmReach;
  readonly policy: Policy;
}

/** Alarms whose coverage is what `reachOf` says of each object, added up. */
export function coveredAlarms(alarms: KnownAlarms, told: Told): KnownAlarms {
  const { reachOf, policy, sources = [], findings = [], unknown = null } = told;
  return {
    ...alarms,
    reachOf,
    sources: () => sources,
    *coverage(clusters, now) {
      yield;
      return {
        unknown,
        sources,
        findings,
        kinds: clusters.flatMap(({ name, objects }) =>
          [...Map.groupBy(objects, ({ ref }) => `${ref.group}/${ref.kind}`).values()].map((of) =>
            coverageOf(name, of, now),
          ),
        ),
        silent: clusters.flatMap(({ objects }) => objects.filter((object) => isSilent(object, now))),
      };
    },
  };

  function isSilent(object: KnownObject, now: number): boolean {
    return guaranteeOf(object, policy, now) === 'broken';
  }

  function coverageOf(cluster: string, objects: readonly KnownObject[], now: number): KindCoverage {
    const { group, kind } = objects[0]?.ref ?? { group: '', kind: '' };
    const counted = (step: ReachStep): ReachCount => {
      const answers = objects.map((object) => reachOf(object)[step]);
      const yes = answers.filter((answer) => answer === true).length;
      const unknown = answers.filter((answer) => answer === null).length;
      return { yes, no: answers.length - yes - unknown, unknown };
    };
    const [exported, ruled, routed] = [counted('exported'), counted('ruled'), counted('routed')];
    return {
      cluster,
      group,
      kind,
      objects: objects.length,
      away: objects.filter(({ verdict }) => isAway(verdict)).length,
      ...{ exported, ruled, routed },
      rules: ruled.yes > 0 ? ['FluxReconciliationFailure'] : [],
      receivers: routed.yes > 0 ? ['oncall (pagerduty)'] : [],
      firedAt: null,
      silent: objects.filter((object) => isSilent(object, now)).length,
      why: exported.unknown > 0 ? 'not-read' : null,
    };
  }
}
