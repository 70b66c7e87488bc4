'use client';

import { callLimit } from '#lib/domain/alarm/alarm-figures.ts';
import type { WireIncident, WireIncidentCall, WireIncidentPage } from '#lib/api/incident.ts';
import { alarmsPath } from '#lib/api/paths.ts';
import { formatDuration } from '#lib/format/duration.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { parseTime } from '#lib/format/time.ts';
import { useSeesAll } from '../../shell/viewer/viewer.tsx';
import { Section } from '../../ui/page/page.tsx';
import { PageLink as Link } from '../../ui/page-link.tsx';
import { RecordTable } from '../../ui/tables/record-table.tsx';
import { ListedTime } from '../../ui/time.tsx';
import { calledStory } from './called-story.ts';

interface IncidentCallsProps {
  readonly page: WireIncidentPage;
  /** Time up to which the page knows (ms). */
  readonly knownAt: number;
}

/** Who was called for an incident: how soon, by which rule, for how long. */
export function IncidentCalls({ page: { incident, calls, callsLeftOut }, knownAt }: IncidentCallsProps) {
  const seesAll = useSeesAll();
  return (
    <Section id="calls" title="Calls" note={callsNote(incident, calls, callsLeftOut)}>
      <p className="calls-say">{calledStory(incident, seesAll)}</p>
      {calls.length > 0 && (
        <RecordTable
          className="calls"
          caption="Calls for the incident, the newest first"
          titles={['From', 'Alert', 'Of', 'Receivers', 'For']}
          stacked
        >
          {calls.map((call) => (
            <Row key={`${call.source} ${call.alert} ${call.names} ${call.from}`} call={call} knownAt={knownAt} />
          ))}
        </RecordTable>
      )}
    </Section>
  );
}

function callsNote({ calls: known }: WireIncident, calls: readonly WireIncidentCall[], leftOut: boolean): string {
  if (!leftOut) return 'by when they were known';
  return `the newest ${countOf(calls.length, 'call')}${known === null ? '' : ` of ${callCount(known.count)}`}; by when they were known`;
}

/** No more of them are counted. */
function callCount(count: number): string {
  return count < callLimit ? formatCount(count) : `at least ${formatCount(callLimit)}`;
}

function Row({ call, knownAt }: { readonly call: WireIncidentCall; readonly knownAt: number }) {
  const { source, alert, receivers, by, names, from, to } = call;
  const length = (parseTime(to ?? '') ?? knownAt) - (parseTime(from) ?? knownAt);
  return (
    <tr>
      <td className="when">
        <ListedTime at={from} />
      </td>
      <td>
        {alert}
        <span className="text-mute">
          , of{' '}
          <Link className="link" href={alarmsPath({ source })} prefetch={false}>
            {source}
          </Link>
        </span>
      </td>
      <td>
        {names}
        {by === 'cause' && <span className="text-mute">, which it waits for</span>}
      </td>
      <td>{receivers.length === 0 ? 'not told' : receivers.join(', ')}</td>
      <td>
        {formatDuration(length)}
        {to === null && <b className="font-medium">, still called</b>}
      </td>
    </tr>
  );
}
