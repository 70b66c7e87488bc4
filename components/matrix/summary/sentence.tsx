import type { ReactNode } from 'react';
import type { Truth, WireFleetSummary } from '#lib/api/fleet.ts';
import { PlumbLine } from '../../shell/plumb-line.tsx';
import { SaidParts, PageLink } from '../../ui/page-link.tsx';
import type { WireFiltered } from '#lib/api/object.ts';
import { useLayout, paramsOf, unfiltered, useView } from '../view-state.ts';
import { alarmsPath, listPath } from '#lib/api/paths.ts';
import { scopeOf, scopeParams } from '#lib/api/scope.ts';
import { alarmsNotKept } from '#lib/domain/alarm/alarm-text.ts';
import { countOf } from '#lib/format/number.ts';
import { useMoment } from '../../shell/moment/moment.tsx';
import { PlannedWork } from '../../ui/planned-work.tsx';

interface SentenceProps {
  readonly summary: WireFleetSummary;
  readonly truth: Truth;
  /** True if the server has been silent for so long that what stands here is only what was last known. */
  readonly lastKnown: boolean;
  readonly children?: ReactNode;
}

/** The sentence that is checked, whether it holds now, what must be known beside it, and beneath it the causes. */
export function Sentence({ summary, truth, lastKnown, children }: SentenceProps) {
  const { guarantee } = summary;
  return (
    <section className="hero" aria-label="The sentence">
      <PlumbLine truth={truth} className="hero-line" />
      <div className="min-w-0">
        <p className="hero-caption">{guarantee.caption}</p>
        <Filtered filter={summary.filter} />
        <h1 className="hero-sentence">
          <CheckedSentence guarantee={guarantee} truth={truth} lastKnown={lastKnown} />
        </h1>
        <SummaryNotes summary={summary} />
        {children}
      </div>
    </section>
  );
}

/** Filter of the page, and what of the rest is as bad or worse, with the way to the whole fleet or its wall; nothing where it shows all. */
export function Filtered({ filter }: { readonly filter: WireFiltered | null }) {
  const [view] = useView();
  const layout = useLayout();
  if (filter === null) return null;
  const query = new URLSearchParams({
    ...paramsOf(unfiltered(view)),
    ...(layout === 'wall' ? { view: layout } : {}),
  }).toString();
  return (
    <p className="hero-filter">
      Filtered by <b>{filter.text}</b>.{' '}
      <PageLink className="link" href={query === '' ? '/' : `/?${query}`} prefetch={false}>
        {filter.outside}
      </PageLink>
    </p>
  );
}

/** Notes to know beside the sentence, once: that alarms are not read, what is never observed, what work is planned. */
export function SummaryNotes({ summary }: { readonly summary: Pick<WireFleetSummary, 'guarantee' | 'planned'> }) {
  const { guarantee, planned } = summary;
  const past = useMoment() !== null;
  const [view] = useView();
  const { declared } = guarantee;
  const paging = past && guarantee.alarms === 'not-read' ? alarmsNotKept : guarantee.paging;
  if (paging === null && planned.length === 0 && declared === 0) return null;
  return (
    <ul className="hero-notes">
      {paging !== null && (
        <li>
          {paging}
          {!past && (
            <>
              {' '}
              <PageLink className="link" href={alarmsPath()} prefetch={false}>
                Alarms
              </PageLink>
            </>
          )}
        </li>
      )}
      {declared > 0 && (
        <li>
          <PageLink
            className="underline decoration-field decoration-1 underline-offset-3"
            href={listPath({ ...scopeParams(scopeOf(view)), guarantee: 'declared' })}
            prefetch={false}
          >
            {countOf(declared, 'declared stack')}
          </PageLink>{' '}
          {declared === 1 ? 'is' : 'are'} never observed.
        </li>
      )}
      {planned.map(({ clusters, until, reason, objects }) => (
        <li key={`${until}${reason}`}>
          <PlannedWork where={placeOf(clusters)} work={{ until, reason, objects }} />
        </li>
      ))}
    </ul>
  );
}

function placeOf(clusters: readonly string[]): string {
  const [only] = clusters;
  return clusters.length === 1 && only !== undefined ? ` on ${only}` : ` on ${countOf(clusters.length, 'cluster')}`;
}

interface CheckedSentenceProps extends Pick<SentenceProps, 'truth' | 'lastKnown'> {
  readonly guarantee: WireFleetSummary['guarantee'];
}

/** The sentence in its words, each number with its way; that it is broken stands in colour before it. */
export function CheckedSentence({ guarantee, truth, lastKnown }: CheckedSentenceProps) {
  return (
    <>
      {lastKnown && <span className="font-semibold">That cannot be said now. Last known: </span>}
      {guarantee.lead !== '' && (
        <b className={truth === 'broken' ? 'text-diverged' : undefined}>
          <SaidParts parts={guarantee.parts.lead} />{' '}
        </b>
      )}
      <SaidParts parts={guarantee.parts.body} />
    </>
  );
}
