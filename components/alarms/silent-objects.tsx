import type { WireAlarms } from '#lib/api/alarm/alarms.ts';
import { clusterPath } from '#lib/api/paths.ts';
import { brokenText } from '#lib/domain/alarm/alarm-text.ts';
import { countOf } from '#lib/format/number.ts';
import { verdictLabel } from '#lib/format/verdict-label.ts';
import { OfKind } from '../ui/of-kind.tsx';
import { Section } from '../ui/page/page.tsx';
import { PageLink as Link } from '../ui/page-link.tsx';
import { Duration } from '../ui/time.tsx';
import { VerdictGlyph } from '../ui/verdict-glyph.tsx';
import { countedPath, type Part } from './alarms-text.ts';

interface SilentObjectsProps {
  readonly answer: WireAlarms;
  readonly part: Part;
}

/** Objects that are away past the deadline with nobody called, each with the link that is broken. */
export function SilentObjects({ answer: { silent, silentTotal }, part }: SilentObjectsProps) {
  if (silentTotal === 0) return null;
  return (
    <Section id="silent" title="Nobody is being called" note="away past the deadline, worst first">
      <ul>
        {silent.map((object) => (
          <li key={object.links.self} className="silent-line">
            <span className="silent-mark" style={{ background: `var(--${object.verdict})` }}>
              <VerdictGlyph verdict={object.verdict} plain /> {verdictLabel(object.verdict)}
            </span>
            <span className="silent-what">
              <Link className="link" href={object.links.self} prefetch={false}>
                {object.name}
              </Link>{' '}
              <OfKind of={object} /> on{' '}
              <Link className="quiet-link" href={clusterPath(object.cluster)} prefetch={false}>
                {object.cluster}
              </Link>
              {object.alarm.broken !== null && `: ${brokenText[object.alarm.broken]}`}
            </span>
            <span className="silent-since">
              <Duration
                since={(object.awaySince ?? object.onset).time}
                bound={(object.awaySince ?? object.onset).bound}
              />
            </span>
          </li>
        ))}
      </ul>
      {silentTotal > silent.length && (
        <p className="pt-2">
          <Link className="link" href={countedPath(part, 'silent')} prefetch={false}>
            All {countOf(silentTotal, 'object')}
          </Link>
        </p>
      )}
    </Section>
  );
}
