'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { fleetApi, type WireCauseLine, type WireFleetSummary } from '#lib/api/fleet.ts';
import { scopeParams, type Scope } from '#lib/api/scope.ts';
import { mostSuspected, objectWords } from '#lib/api/git/suspect.ts';
import { countOf } from '#lib/format/number.ts';
import { endpointQuery } from '../../queries/endpoint-query.ts';
import { useAtParam } from '../../shell/moment/moment.tsx';
import { AlarmText, brokenWords } from '../../ui/alarm.tsx';
import { SuspectLine } from '../../suspects/suspect-line.tsx';
import { useSuspects } from '../../suspects/use-suspects.ts';
import { SaidText } from '../../ui/said-text.tsx';
import { Duration } from '../../ui/time.tsx';
import { VerdictGlyph } from '../../ui/verdict-glyph.tsx';
import { PageLink as Link } from '../../ui/page-link.tsx';

interface CausesProps {
  /** The first causes, how many there are in all, and how many objects lie beneath those. */
  readonly summary: Pick<WireFleetSummary, 'causes' | 'causesTotal' | 'causesObjects'>;
  readonly scope: Scope;
}

/** Number of causes without a line, and of the objects beneath them: "3 more causes, 12 objects"; '' where all have one. */
export function moreCauses({ causes, causesTotal, causesObjects }: CausesProps['summary'], shown: number): string {
  const more = causesTotal - shown;
  const beneath = causes.slice(0, shown).reduce((sum, { objects }) => sum + objects, 0);
  return more <= 0 ? '' : `${countOf(more, 'more cause')}, ${countOf(causesObjects - beneath, 'object')}`;
}

/** One line a cause: what is at fault, what it takes down, since when, whether anybody was called. */
export function Causes({ summary, scope }: CausesProps) {
  const [asked, setAsked] = useQueryState('causes', parseAsStringLiteral(['all']));
  const open = asked === 'all';
  const at = useAtParam();
  const all = useQuery({
    ...endpointQuery(fleetApi, { causes: 'all', ...scopeParams(scope), ...at }),
    placeholderData: keepPreviousData,
    enabled: open,
    ...(at.at === undefined ? { refetchInterval: 10_000 } : {}),
  });
  const causes = open && all.data ? all.data.summary.causes : summary.causes;
  const [more, beyondFirst] = [moreCauses(summary, summary.causes.length), moreCauses(summary, 1)];
  const suspicionOf = useSuspects({ object: suspectedCauses(causes) });
  const toggle = (): void => void setAsked(open ? null : 'all');
  // Where nobody's alarm is known, the sentence above has said so once.
  const alarmsRead = causes.some(({ alarm }) => alarm !== 'unknown' && alarm !== 'not-due');
  if (causes.length === 0) return null;
  return (
    <ul className={open ? 'causes causes-open' : 'causes'} aria-label="Causes">
      {causes.map((line) => (
        <li key={line.key} className="cause">
          <VerdictGlyph verdict={line.verdict} alone />
          <span className="cause-text">
            <CauseName line={line} open={toggle} />{' '}
            <span className="cause-why text-mute">
              <SaidText text={line.text} commits={line.commits} />
            </span>
            <span className="cause-since text-mute">
              , <Duration since={line.since} bound={line.bound} />
              {alarmsRead && line.alarm !== 'not-due' && ', '}
            </span>
            {alarmsRead && <AlarmText state={line.alarm} />}
            {line.alarm === 'silent' && line.broken !== null && (
              <span className="cause-broken text-mute">: {brokenWords(line.broken)}</span>
            )}
            {line.cause !== null && line.clusters === 1 && <SuspectLine known={suspicionOf(objectOf(line.cause))} />}
          </span>
        </li>
      ))}
      {open && causes.length > 1 && <More text="Show the first only" open toggle={toggle} />}
      {!open && more !== '' && <More text={`and ${more}`} toggle={toggle} />}
      {!open && beyondFirst !== '' && <More text={`and ${beyondFirst}`} toggle={toggle} compact />}
    </ul>
  );
}

/** Objects that are causes and fail by themselves, as the API takes them; at most as many as one question takes. */
function suspectedCauses(causes: readonly WireCauseLine[]): string {
  const objects = causes.flatMap(({ cause, verdict, clusters }) =>
    // On several clusters others fail alike, of which the first does not tell what touches them.
    cause?.type === 'object' && clusters === 1 && (verdict === 'diverged' || verdict === 'unhealthy')
      ? [objectOf(cause)]
      : [],
  );
  return objects.slice(0, mostSuspected).toSorted().join(',');
}

function objectOf({ cluster, group, kind, namespace, name }: NonNullable<WireCauseLine['cause']>): string {
  return objectWords({ cluster, group, kind, namespace, name });
}

/** Name of what is at fault; where that is still being determined, the way to each of the objects. */
function CauseName({ line, open }: { readonly line: WireCauseLine; readonly open: () => void }) {
  if (line.cause === null)
    return (
      <button type="button" className="link" onClick={open}>
        {line.title}
      </button>
    );
  return (
    <Link className="link" href={line.cause.href} prefetch={false}>
      {line.title}
    </Link>
  );
}

interface MoreProps {
  readonly text: string;
  readonly toggle: () => void;
  readonly open?: boolean;
  /** On a small screen, where only the worst cause has a line. */
  readonly compact?: boolean;
}

function More({ text, toggle, open = false, compact = false }: MoreProps) {
  return (
    <li className={compact ? 'cause cause-compact' : 'cause cause-more'}>
      <span />
      <span className="cause-text">
        <button type="button" className="link" aria-expanded={open} onClick={toggle}>
          {text}
        </button>
      </span>
    </li>
  );
}
