import type { WireFleetSummary } from '#lib/api/fleet.ts';
import { listPath } from '#lib/api/paths.ts';
import { scopeOf, scopeParams } from '#lib/api/scope.ts';
import { pagingUnknown } from '#lib/domain/guarantee/guarantee-sentence.ts';
import { countOf } from '#lib/format/number.ts';
import { useMoment } from '../../shell/moment/moment.tsx';
import { PlannedWork } from '../../ui/planned-work.tsx';
import { PageLink } from '../../ui/page-link.tsx';
import { useView } from '../view-state.ts';

/** Notes to know beside the sentence, once: that alarms are not read, what is never observed, what work is planned. */
export function SummaryNotes({ head }: { readonly head: Pick<WireFleetSummary, 'guarantee' | 'planned'> }) {
  const { guarantee, planned } = head;
  const past = useMoment() !== null;
  const [view] = useView();
  const { declared } = guarantee;
  if (guarantee.alarms !== 'not-read' && planned.length === 0 && declared === 0) return null;
  return (
    <ul className="hero-notes">
      {guarantee.alarms === 'not-read' && (
        <li>{past ? 'Whether anybody was called then is not kept.' : pagingUnknown}</li>
      )}
      {declared > 0 && (
        <li>
          <PageLink
            className="underline decoration-field decoration-1 underline-offset-3"
            href={listPath({ ...scopeParams(scopeOf(view)), guarantee: 'declared' })}
            prefetch={false}
          >
            {countOf(declared, 'declared stack')}
          </PageLink>{' '}
          {declared === 1 ? 'is' : 'are'} never observed.
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
