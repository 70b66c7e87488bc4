'use client';

import type { WireIncident } from '#lib/api/incident.ts';
import { formatDuration } from '#lib/format/duration.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { parseTime } from '#lib/format/time.ts';
import { verdictLabel } from '#lib/format/verdict-label.ts';
import { useFeedAge } from '../../shell/live/feed-age.ts';
import { Figure, FigureRow } from '../../ui/page/figures.tsx';
import { Say } from '../../ui/page/page.tsx';
import { Time } from '../../ui/time.tsx';
import { endClause, incidentLength, objectTimeText, reachText } from '../incident-text.ts';

interface HeadProps {
  readonly incident: WireIncident;
  /** Time up to which it is known (ms). */
  readonly knownAt: number;
}

/** Sentence on an incident: how bad, for how long, how far it goes and went, what it was taken for, how it ended. */
export function IncidentSentence({ incident, knownAt }: HeadProps) {
  const { worst, closedAt, ended, returns, takenFor, planned } = incident;
  const dead = useFeedAge() === 'dead';
  return (
    <Say>
      {dead && <span className="font-semibold">This cannot be said now. Last known: </span>}
      <b style={{ color: closedAt === null ? toneOf(worst) : undefined }}>
        {closedAt === null ? verdictLabel(worst) : `Over; it was ${worst}`} for {incidentLength(incident, knownAt)}
      </b>
      {ended === null ? '. ' : `: ${endClause(ended)}. `}
      {reachSentence(incident)}
      {returns > 0 && ` It was over and came back ${returns === 1 ? 'once' : `${formatCount(returns)} times`}.`}
      {takenFor.map(({ title, until }) => (
        <span key={title + until}>
          {' '}
          Until <Time at={until} /> it was taken for {title}.
        </span>
      ))}
      {planned && ' All its clusters are under planned work now.'}
    </Say>
  );
}

/** The colour of what is wrong; what is only not seen stays ink. */
function toneOf(worst: WireIncident['worst']): string {
  return worst === 'unobserved' || worst === 'unconfirmed' || worst === 'converged' ? 'var(--ink)' : `var(--${worst})`;
}

function reachSentence({ now, most, closedAt }: WireIncident): string {
  const worst = reachText(most);
  if (closedAt !== null) return `At its worst it reached ${worst}.`;
  if (now.objects === most.objects && now.clusters === most.clusters)
    return `It reaches ${worst}, and never reached more.`;
  return `It reaches ${reachText(now)} now; at its worst it reached ${worst}.`;
}

const promptly = 10_000;

/** Since when and how well that is known; when it ended, or how far it goes now; its worst; what it came to. */
export function IncidentHeadFigures({ incident, knownAt }: HeadProps) {
  const { openedAt, bound, noticedAt, closedAt, ended, now, most, members, objectTime, clusterCount } = incident;
  const began = parseTime(openedAt) ?? 0;
  const noticed = (parseTime(noticedAt) ?? began) - began;
  const seen = noticed <= promptly ? 'seen as it began' : `noticed ${formatDuration(noticed)} later`;
  return (
    <FigureRow>
      <Figure
        name={bound === 'at-least' ? 'Began, at the latest' : 'Began'}
        value={<Time at={openedAt} />}
        note={bound === 'at-least' ? 'it began while nobody looked' : seen}
      />
      {closedAt === null ? (
        <Figure
          name="Now"
          value={
            <a className="quiet-link" href="#members">
              {countOf(now.objects, 'object')}
            </a>
          }
          note={`on ${countOf(now.clusters, 'cluster')}; ongoing for ${incidentLength(incident, knownAt)}`}
        />
      ) : (
        <Figure
          name="Ended"
          value={<Time at={closedAt} />}
          note={`after ${incidentLength(incident, knownAt)}${ended === null ? '' : `: ${endClause(ended)}`}`}
        />
      )}
      <Figure name="At its worst" value={countOf(most.objects, 'object')} note={whereText(incident)} />
      <Figure
        name="Reach times time"
        value={objectTimeText(objectTime)}
        note={
          <>
            of{' '}
            <a className="quiet-link" href="#members">
              {countOf(members, 'member')}
            </a>{' '}
            on {countOf(clusterCount, 'cluster')}
          </>
        }
      />
    </FigureRow>
  );
}

function whereText({ most: { clusters, environments } }: WireIncident): string {
  const several = environments !== null && environments > 0 ? ` in ${countOf(environments, 'environment')}` : '';
  return `on ${countOf(clusters, 'cluster')}${several}`;
}
