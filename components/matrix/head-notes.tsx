import type { WireFleetHead } from '#lib/api/fleet.ts';
import { countOf } from '#lib/format/number.ts';
import { useMoment } from '../shell/moment.tsx';
import { PlannedWork } from '../cluster/planned-work.tsx';

/** What must be known beside the sentence: that no alarm is read (once, and not in every cell), and what work is planned. */
export function HeadNotes({ head }: { readonly head: Pick<WireFleetHead, 'guarantee' | 'planned'> }) {
  const { guarantee, planned } = head;
  const past = useMoment() !== null;
  if (guarantee.alarms !== 'not-read' && planned.length === 0) return null;
  return (
    <ul className="hero-notes">
      {guarantee.alarms === 'not-read' && (
        <li>
          {past
            ? 'Whether anybody was called then is not kept.'
            : 'No alarm source is read: whether anybody was called cannot be said.'}
        </li>
      )}
      {planned.map(({ clusters, until, reason, objects }) => (
        <li key={`${until}${reason}`}>
          <PlannedWork where={placeOf(clusters)} work={{ until, reason, objects }} />
        </li>
      ))}
    </ul>
  );
}

function placeOf(clusters: readonly string[]): string {
  const [only] = clusters;
  return clusters.length === 1 && only !== undefined ? ` on ${only}` : ` on ${countOf(clusters.length, 'cluster')}`;
}
