import type { WireCluster } from '#lib/api/cluster.ts';
import { countOf } from '#lib/format/number.ts';
import { Time } from './time.tsx';

interface PlannedWorkProps {
  /** " on eu-west-3"; '' on the page of the cluster itself. */
  readonly where: string;
  readonly work: NonNullable<WireCluster['plannedWork']>;
}

/** "Planned work on eu-west-3 until 14:00:00 UTC (Upgrade to 1.36): 5 objects there are counted apart." */
export function PlannedWork({ where, work: { until, reason, objects } }: PlannedWorkProps) {
  return (
    <span>
      <b className="font-medium">Planned work{where}</b> until <Time at={until} /> ({reason})
      {objects > 0 &&
        `: ${countOf(objects, 'object')}${where === '' ? '' : ' there'} ${objects === 1 ? 'is' : 'are'} away or stale, counted apart`}
      .
    </span>
  );
}
