import type { WireAlarms, WireSilentCause } from '#lib/api/alarm/alarms.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { verdictLabel } from '#lib/format/verdict-label.ts';
import { brokenWords } from '../ui/alarm.tsx';
import { Section } from '../ui/page/page.tsx';
import { PageLink as Link } from '../ui/page-link.tsx';
import { SaidText } from '../ui/said-text.tsx';
import { Duration } from '../ui/time.tsx';
import { VerdictGlyph } from '../ui/verdict-glyph.tsx';
import { countedPath, type Part } from './alarms-text.ts';

interface SilentObjectsProps {
  readonly answer: WireAlarms;
  readonly part: Part;
}

/** Objects that are away past the deadline with nobody called, by their causes, each with the link that is broken and the list of its objects. */
export function SilentObjects({ answer: { silent, silentCauses, silentTotal }, part }: SilentObjectsProps) {
  if (silentTotal === 0) return null;
  return (
    <Section id="silent" title="Nobody is being called" note="away past the deadline, by cause, worst first">
      <ul>
        {silent.map((cause) => (
          <SilentCause key={cause.key} cause={cause} />
        ))}
      </ul>
      {silentCauses > silent.length && (
        <p className="pt-2">
          The worst {formatCount(silent.length)} of {countOf(silentCauses, 'cause')}:{' '}
          <Link className="link" href={countedPath(part, 'silent')} prefetch={false}>
            all {countOf(silentTotal, 'object')}
          </Link>
        </p>
      )}
    </Section>
  );
}

function SilentCause({ cause: line }: { readonly cause: WireSilentCause }) {
  const { verdict, cause, title, text, commits, objects, broken, since, bound, href } = line;
  return (
    <li className="silent-line">
      <span className="silent-mark" style={{ background: `var(--${verdict})` }}>
        <VerdictGlyph verdict={verdict} plain /> {verdictLabel(verdict)}
      </span>
      <span className="silent-what">
        {cause === null ? (
          title
        ) : (
          <Link className="link" href={cause.href} prefetch={false}>
            {title}
          </Link>
        )}{' '}
        <span className="text-mute">
          <SaidText text={text} commits={commits} />
        </span>
        {broken !== null && `: ${brokenWords(broken)}`}
      </span>
      {objects > 1 && (
        <Link className="silent-count link" href={href} prefetch={false}>
          {countOf(objects, 'object')}
        </Link>
      )}
      <span className="silent-since">
        <Duration since={since} bound={bound} />
      </span>
    </li>
  );
}
