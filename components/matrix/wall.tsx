import './wall.css';
import type { Truth, WireCauseLine, WireFleet, WireRow } from '#lib/api/fleet.ts';
import { clusterPath } from '#lib/api/paths.ts';
import { rankOfRow } from '#lib/domain/matrix/matrix-order.ts';
import { countsObserved } from '#lib/domain/verdict/only-declared.ts';
import { verdicts } from '#lib/domain/verdict/verdict.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { verdictLabel } from '#lib/format/verdict-label.ts';
import { PlumbLine } from '../shell/plumb-line.tsx';
import { Duration } from '../ui/time.tsx';
import { VerdictGlyph } from '../ui/verdict-glyph.tsx';
import { moreCauses } from './summary/causes.tsx';
import { CheckedSentence, Filtered, SummaryNotes } from './summary/sentence.tsx';
import { HeaderState } from './grid/header-state.tsx';
import { CauseLink, PageLink as Link } from '../ui/page-link.tsx';
import { paramsOf, useView } from './view-state.ts';

const most = 14;

interface WallProps {
  readonly fleet: WireFleet;
  readonly truth: Truth;
  /** As in the sentence of the fleet page. */
  readonly lastKnown: boolean;
}

/**
 * The fleet for a screen on the wall, read from three metres: the sentence, the counts, the worst 14 clusters; with fewer
 * that deviate those in order too. What there is grows until it fills the screen.
 */
export function Wall({ fleet, truth, lastKnown }: WallProps) {
  const { guarantee } = fleet.summary;
  const counts = countsObserved(fleet.summary.counts, guarantee.declared);
  const present = verdicts.filter((verdict) => (counts[verdict] ?? 0) > 0);
  const worst = fleet.rows.toSorted(
    (a, b) => Number(isAway(b)) - Number(isAway(a)) || b.silent - a.silent || rankOfRow(a) - rankOfRow(b),
  );
  const shown = worst.slice(0, most);
  const more = worst.slice(most);
  const moreAway = more.filter(isAway).length;
  return (
    <div className="wall">
      <div className="wall-say">
        <PlumbLine truth={truth} className="wall-line" />
        <div>
          <p className="wall-caption">{guarantee.caption}</p>
          <Filtered filter={fleet.summary.filter} />
          <h1>
            <CheckedSentence guarantee={guarantee} truth={truth} lastKnown={lastKnown} />
          </h1>
          <SummaryNotes summary={fleet.summary} />
        </div>
      </div>
      <ul className="wall-counts" aria-label="Objects by verdict">
        {present.map((verdict) => (
          <li key={verdict}>
            <span className="wall-count">{formatCount(counts[verdict] ?? 0)}</span>
            <span className="wall-verdict">
              <VerdictGlyph verdict={verdict} size={24} />
              {verdictLabel(verdict)}
            </span>
          </li>
        ))}
      </ul>
      <FewCauses summary={fleet.summary} />
      <div className="wall-body">
        <ul className="wall-rows" aria-label="Clusters, worst first" style={{ '--rows': shown.length }}>
          {shown.map((row) => (
            <WallRow key={row.cluster} row={row} />
          ))}
        </ul>
        <WallCauses summary={fleet.summary} />
      </div>
      {more.length > 0 && (
        <p className="wall-more">
          {moreAway > 0 && `${countOf(moreAway, 'more cluster')} not in order`}
          {moreAway > 0 && more.length > moreAway && ', '}
          {more.length > moreAway && `${countOf(more.length - moreAway, 'cluster')} in order`}
        </p>
      )}
    </div>
  );
}

/** Where the screen is wide enough, what is behind it stands beside the clusters. */
function WallCauses({ summary }: { readonly summary: WireFleet['summary'] }) {
  const { causes } = summary;
  const more = moreCauses(summary, causes.length);
  if (causes.length === 0) return null;
  return (
    <ul className="wall-causes" aria-label="Causes">
      {causes.map((line) => (
        <li key={line.key}>
          <VerdictGlyph verdict={line.verdict} size={24} alone />
          <span>
            <CauseTitle line={line} />{' '}
            <span className="text-mute">
              {line.text}, <Duration since={line.since} bound={line.bound} />
            </span>
          </span>
        </li>
      ))}
      {more !== '' && (
        <li>
          <span />
          <CausesLink text={`and ${more}`} />
        </li>
      )}
    </ul>
  );
}

/** Where the screen is too narrow for causes beside the clusters: how many there are. */
function FewCauses({ summary }: { readonly summary: WireFleet['summary'] }) {
  const { causesTotal, causesObjects } = summary;
  if (causesTotal === 0) return null;
  return (
    <p className="wall-few-causes">
      <CausesLink text={`${countOf(causesTotal, 'cause')}, ${countOf(causesObjects, 'object')}`} />
    </p>
  );
}

/** The way to all causes, each with its line. */
function CausesLink({ text }: { readonly text: string }) {
  const [view] = useView();
  const query = new URLSearchParams({ ...paramsOf(view), causes: 'all' }).toString();
  return (
    <Link href={`/?${query}`} prefetch={false} className="font-medium">
      {text}
    </Link>
  );
}

function CauseTitle({ line }: { readonly line: WireCauseLine }) {
  if (line.cause === null) return <CausesLink text={line.title} />;
  return <CauseLink href={line.cause.href} className="font-medium" title={line.title} />;
}

function WallRow({ row }: { readonly row: WireRow }) {
  const counts = countsObserved(row.counts, row.declared);
  const present = verdicts.filter((verdict) => verdict !== 'converged' && (counts[verdict] ?? 0) > 0);
  const converged = counts.converged ?? 0;
  return (
    <li className="wall-row">
      <span className="wall-row-inside">
        <Link className="wall-name" href={clusterPath(row.cluster)} prefetch={false}>
          {row.cluster}
        </Link>
        <span className="wall-state">
          <HeaderState row={row} />
        </span>
        {row.silent > 0 && (
          <span className="bg-diverged px-3 font-semibold text-paper outline-2 -outline-offset-2 outline-ink">
            {row.silent} silent
          </span>
        )}
        {present.map((verdict) => (
          <span key={verdict} className="wall-part">
            <VerdictGlyph verdict={verdict} size={24} alone />
            {formatCount(counts[verdict] ?? 0)}
          </span>
        ))}
        {present.length === 0 && converged > 0 && (
          <span className="wall-part text-mute">
            <VerdictGlyph verdict="converged" size={24} alone />
            {formatCount(converged)}
          </span>
        )}
      </span>
    </li>
  );
}

/** True if a row is out of order. What is only declared is never observed: its row is not. */
function isAway(row: WireRow): boolean {
  if (row.state === 'declared') return false;
  return row.state !== 'live' || (row.worst !== null && row.worst !== 'converged');
}
