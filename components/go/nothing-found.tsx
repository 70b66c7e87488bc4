import Link from 'next/link';
import type { WireGo, WireRecorded } from '#lib/api/pager/go.ts';
import { historyPath, objectPath, pathAt, refParams } from '#lib/api/paths.ts';
import { momentText } from '#lib/format/moment.ts';
import { parseTime } from '#lib/format/time.ts';
import { IncidentsAround } from '../incidents/incident-section.tsx';
import { useMoment } from '../shell/moment/moment.tsx';
import { LastSeen } from '../ui/not-there/last-seen.tsx';
import { NearestList } from '../ui/not-there/nearest.tsx';
import { OfKind } from '../ui/of-kind.tsx';
import { Section } from '../ui/page/page.tsx';
import { Sentences } from './sentences.tsx';

/** Everything that is known where no object fits: of each part that was named, of what was there at other times, of what else went on. */
export function NothingFound({ answer }: { readonly answer: WireGo }) {
  const { known, nearest, recorded, thereNow, incidents, incidentsOn } = answer;
  const isPast = useMoment() !== null;
  return (
    <>
      {thereNow.length > 0 && (
        <Section id="there-now" title="There now" note="but not at that time">
          <ul>
            {thereNow.map((ref) => (
              <li key={objectPath(ref)} className="py-1">
                <Link className="link" href={objectPath(ref)} prefetch={false}>
                  {ref.name} on {ref.cluster}
                </Link>{' '}
                <OfKind of={ref} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {recorded.length > 0 && (
        <Section id="recorded" title="In the record">
          <ul>
            {recorded.map((one) => (
              <Recorded key={objectPath(one.ref)} recorded={one} />
            ))}
          </ul>
        </Section>
      )}
      {known.length > 0 && (
        <Section id="known" title={isPast ? 'Known then' : 'Known'}>
          <Sentences of={known} />
        </Section>
      )}
      {nearest.length > 0 && (
        <Section id="nearest" title="Perhaps one of these was meant">
          <NearestList nearest={nearest} />
        </Section>
      )}
      <Section
        id="incidents"
        title="Incidents"
        note={`${isPast ? 'known in the hour before' : 'known in the last hour'}, on ${incidentsOn ?? 'every cluster'}`}
      >
        <IncidentsAround rows={incidents} nothing="None is known." />
      </Section>
    </>
  );
}

function Recorded({ recorded: { ref, last } }: { readonly recorded: WireRecorded }) {
  const noticed = parseTime(last.noticedAt);
  const before = last.to !== null || noticed === null ? null : momentText(noticed - 1);
  return (
    <li className="py-1 [overflow-wrap:anywhere]">
      <span className="font-medium">
        {ref.name} on {ref.cluster}
      </span>{' '}
      <OfKind of={ref} />. <LastSeen last={last} />{' '}
      {before !== null && (
        <>
          <Link className="link" href={pathAt(objectPath(ref), before)} prefetch={false}>
            As it was just before
          </Link>
          ,{' '}
        </>
      )}
      <Link className="link" href={historyPath(refParams(ref))} prefetch={false}>
        {before === null ? 'Its' : 'its'} history
      </Link>
    </li>
  );
}
