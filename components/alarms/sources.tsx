import type { WireAlarms, WireAlarmSource } from '#lib/api/alarm/alarms.ts';
import { clusterPath } from '#lib/api/paths.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { LinkGlyph } from '../ui/link-glyph.tsx';
import { Section } from '../ui/page/page.tsx';
import { PageLink as Link } from '../ui/page-link.tsx';
import { Duration, ListedTime } from '../ui/time.tsx';
import { programName, programState } from './alarms-text.ts';

/** Where alarms are read: each program with its state and age, and what was left out. */
export function Sources({ answer: { sources, sourcesTotal } }: { readonly answer: WireAlarms }) {
  return (
    <Section id="sources" title="Sources" note="where alarms are read, with GET alone">
      {sources.map((source) => (
        <Source key={source.name} source={source} />
      ))}
      {sourcesTotal > sources.length && (
        <p className="pt-1 text-mute">
          The first {formatCount(sources.length)} of {countOf(sourcesTotal, 'source')}.
        </p>
      )}
    </Section>
  );
}

function Source({ source }: { readonly source: WireAlarmSource }) {
  const { name, programs, cut } = source;
  return (
    <section aria-labelledby={`source-${name}`} className="alarm-source">
      <h3 id={`source-${name}`}>
        {name} <SpeaksFor source={source} />
      </h3>
      <ul>
        {programs.map((program) => (
          <Program key={`${program.program} ${program.url}`} program={program} />
        ))}
        {cut.map((sentence) => (
          <li key={sentence} className="program">
            <LinkGlyph state="unknown" />
            <span>Left out</span>
            <span className="program-what">{sentence}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const named = 6;

function SpeaksFor({ source: { label, clusters, clustersTotal } }: { readonly source: WireAlarmSource }) {
  if (clustersTotal === 0)
    return (
      <span className="text-mute">
        speaks for the clusters that the label <code>{label}</code> names
      </span>
    );
  return (
    <span className="text-mute">
      speaks for{' '}
      {clusters.slice(0, named).map((cluster, index) => (
        <span key={cluster}>
          {index > 0 && ', '}
          <Link className="quiet-link" href={clusterPath(cluster)} prefetch={false}>
            {cluster}
          </Link>
        </span>
      ))}
      {clustersTotal > named && ` and ${formatCount(clustersTotal - named)} more`}
    </span>
  );
}

type ProgramProps = { readonly program: WireAlarmSource['programs'][number] };

function Program({ program: { program, url, state, since, reason, readAt } }: ProgramProps) {
  const live = state === 'live';
  return (
    <li className="program">
      <LinkGlyph state={live ? 'whole' : state === 'failed' ? 'broken' : 'unknown'} />
      <span>{programName[program]}</span>
      <span className="program-what">
        <code>{url}</code> <b className={live ? 'font-normal' : undefined}>{programState[state]}</b> for{' '}
        <Duration since={since} />
        {reason !== null && `: ${reason.replace(/\.$/, '')}`}.
        <span className="text-mute">
          {readAt === null ? (
            ' Never read whole.'
          ) : (
            <>
              {' '}
              Read at <ListedTime at={readAt} />.
            </>
          )}
        </span>
      </span>
    </li>
  );
}
