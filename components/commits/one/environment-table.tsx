'use client';

import { timesNotKnownWords } from '#lib/api/git/times-not-known.ts';
import { stagesOf, type Stage } from '#lib/draw/wave/stages.ts';
import { hasCome, waveStates, type WaveCluster, type WaveState } from '#lib/draw/wave/wave-cluster.ts';
import { afterText, waveWord } from '#lib/draw/wave/wave-text.ts';
import { formatDuration } from '#lib/format/duration.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { Section } from '../../ui/page/page.tsx';
import { Ledger, type Column } from '../../ui/tables/ledger.tsx';
import { FateGlyph } from '../fate-glyph.tsx';
import { StandingLink } from './standing-link.tsx';

const columns: readonly Column[] = [
  { name: 'name', width: '18%', title: 'Environment' },
  { name: 'states', title: 'Where it stands' },
  { name: 'first', width: '132px', title: 'First cluster' },
  { name: 'whole', width: '132px', title: 'All of them' },
  { name: 'next', width: '30%', title: 'Before it went on' },
];

interface EnvironmentTableProps {
  readonly clusters: readonly WaveCluster[];
  readonly committedAt: number;
}

/** Environments in the order in which the commit came to them: how far it is in each, and how long it was there before it went on. */
export function EnvironmentTable({ clusters, committedAt }: EnvironmentTableProps) {
  const stages = stagesOf(clusters);
  return (
    <Section id="environments" title="Environments" note="in the order in which it came">
      <Ledger
        name="environments"
        caption="How far the commit is in each environment"
        columns={columns}
        rows={stages.length}
      >
        <tbody>
          {stages.map((stage, index) => (
            <Row key={stage.environment} stage={stage} index={index} committedAt={committedAt} />
          ))}
        </tbody>
      </Ledger>
    </Section>
  );
}

interface RowProps extends Pick<EnvironmentTableProps, 'committedAt'> {
  readonly stage: Stage;
  readonly index: number;
}

function Row({ stage, index, committedAt }: RowProps) {
  const { environment, clusters, firstAt, wholeAt } = stage;
  const counts = countStates(clusters);
  return (
    <tr data-index={index}>
      <th scope="row" className="name">
        <StandingLink environment={environment} inText rowLink>
          {environment === '' ? 'no environment' : environment}
        </StandingLink>{' '}
        <span className="text-mute">{countOf(clusters.length, 'cluster')}</span>
      </th>
      <td className="states">
        {waveStates
          .filter((state) => counts[state] > 0)
          .map((state) => (
            <span key={state} className="fate">
              <FateGlyph state={state} />{' '}
              <StandingLink environment={environment} state={state}>
                {formatCount(counts[state])} {waveWord[state]}
              </StandingLink>
            </span>
          ))}
      </td>
      <td className="first">{firstAt === null ? none(clusters) : afterText(firstAt, committedAt)}</td>
      <td className="whole">{wholeAt === null ? none(clusters) : afterText(wholeAt, committedAt)}</td>
      <td className="next">{nextText(stage)}</td>
    </tr>
  );
}

/** Words where there is no time: not yet, or not known. */
function none(clusters: readonly WaveCluster[]) {
  const [why] = clusters.flatMap(({ notKnown }) => notKnown ?? []);
  const words = why === undefined ? (clusters.every(hasCome) ? 'not known' : 'not yet') : timesNotKnownWords[why];
  return <span className="text-mute">{words}</span>;
}

function nextText({ next, wholeAt }: Stage): string {
  if (next === null) return '';
  const then = next.environment === '' ? 'clusters without one' : next.environment;
  if (next.after !== null) return `in all of it for ${formatDuration(next.after)} before ${then}`;
  return wholeAt === null
    ? `went on to ${then} without being in all of it`
    : `went on to ${then} before it was in all of it`;
}

/** Number of clusters in each state. */
export function countStates(clusters: readonly { readonly state: WaveState }[]): Readonly<Record<WaveState, number>> {
  const counts = { stuck: 0, 'failed-later': 0, unknown: 0, 'on-its-way': 0, superseded: 0, converged: 0 };
  for (const { state } of clusters) counts[state] += 1;
  return counts;
}
