'use client';

import type { WireIncidentPage } from '#lib/api/incident.ts';
import { formatClock, parseTime } from '#lib/format/time.ts';
import { Section } from '../../ui/page/page.tsx';
import { RecordTable } from '../../ui/tables/record-table.tsx';
import { ListedTime } from '../../ui/time.tsx';
import { reachText } from '../incident-text.ts';
import { stepLines } from './step-lines.ts';

/** Steps of an incident, oldest first; what grew on and on in one line. */
export function IncidentSteps({ page: { steps, stepsLeftOut } }: { readonly page: WireIncidentPage }) {
  return (
    <Section
      id="steps"
      title="Steps"
      note={stepsLeftOut ? 'the newest 500; by when they were noticed' : 'by when they were noticed'}
    >
      <RecordTable className="steps" caption="Steps of the incident" titles={['When', 'What', 'Reach']} stacked>
        {stepLines(steps).map(({ key, from, to, words, objects, clusters }) => (
          <tr key={key}>
            <td className="when">
              <ListedTime at={from} />
              {to !== from && ` to ${formatClock(parseTime(to) ?? 0)}`}
            </td>
            <td>{words}</td>
            <td>{objects === 0 ? 'none' : reachText({ objects, clusters })}</td>
          </tr>
        ))}
      </RecordTable>
    </Section>
  );
}
