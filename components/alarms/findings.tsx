import type { WireAlarms, WireFinding } from '#lib/api/alarm/alarms.ts';
import { alarmsPath } from '#lib/api/paths.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { Section } from '../ui/page/page.tsx';
import { PageLink as Link } from '../ui/page-link.tsx';
import { ListedTime } from '../ui/time.tsx';
import type { AlarmsFilter } from './alarms-filter.ts';
import { findingMeaning, findingTitle } from './alarms-text.ts';

interface FindingsProps {
  readonly answer: WireAlarms;
  readonly filter: AlarmsFilter;
}

/** Weaknesses of alarms, whether or not anything is away, by type, each with its mend. */
export function Findings({ answer: { findings }, filter }: FindingsProps) {
  return (
    <Section id="findings" title="What weakens the alarms">
      {findings.length === 0 && (
        <p className="text-mute">Nothing that is known{filter.finding === '' ? '' : ' of this type'}.</p>
      )}
      {findings.map(({ type, total, lines, findings: shown }) => (
        <section key={type} aria-labelledby={`finding-${type}`} className="finding-group">
          <h3 id={`finding-${type}`}>
            <Link className="quiet-link" href={ofType(filter, type)} prefetch={false}>
              {findingTitle[type]} <span className="finding-count">{formatCount(total)}</span>
            </Link>
            <span className="finding-meaning">{findingMeaning[type]}</span>
          </h3>
          <ul>
            {shown.map((finding) => (
              <Finding key={`${finding.source} ${finding.title} ${finding.text}`} finding={finding} />
            ))}
          </ul>
          {lines > shown.length && (
            <p className="pt-1">
              <Link className="link" href={ofType(filter, type)} prefetch={false}>
                {filter.finding === type
                  ? `The first ${formatCount(shown.length)} of ${formatCount(lines)}`
                  : `All ${formatCount(total)}`}
              </Link>
            </p>
          )}
        </section>
      ))}
    </Section>
  );
}

function ofType(filter: AlarmsFilter, finding: string): string {
  const { cluster, source } = filter;
  return alarmsPath({ ...(cluster === '' ? {} : { cluster }), ...(source === '' ? {} : { source }), finding });
}

function Finding({ finding }: { readonly finding: WireFinding }) {
  const { source, title, text, mend, at, objects, href, alike, others } = finding;
  const listed = objects !== null && href !== null;
  return (
    <li className="finding">
      <p>
        <b>{title}</b> <span className="text-mute">({source})</span> {text}
      </p>
      <p>
        <span className="text-mute">Mend:</span> {mend}
      </p>
      {alike > 0 && <Alike count={alike} texts={others} />}
      {(at !== null || listed) && (
        <p className="text-mute">
          {listed && (
            <>
              Concerns{' '}
              <Link className="link" href={href} prefetch={false}>
                {countOf(objects, 'object')}
              </Link>
              {at !== null && ', '}
            </>
          )}
          {at !== null && (
            <>
              {listed ? 'since' : 'Since'} <ListedTime at={at} />
            </>
          )}
        </p>
      )}
    </li>
  );
}

/** Findings that need the same mend, folded. */
function Alike({ count, texts }: { readonly count: number; readonly texts: readonly string[] }) {
  return (
    <details className="finding-alike">
      <summary>{formatCount(count)} more alike</summary>
      <ul>
        {texts.map((text, at) => (
          <li key={`${at} ${text}`}>{text}</li>
        ))}
      </ul>
      {count > texts.length && <p className="text-mute">and {formatCount(count - texts.length)} more</p>}
    </details>
  );
}
