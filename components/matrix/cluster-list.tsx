import type { WireFleet, WireRow } from '#lib/api/fleet.ts';
import { clusterPath } from '#lib/api/paths.ts';
import { rankOfRow } from '#lib/domain/matrix/matrix-order.ts';
import { countsObserved } from '#lib/domain/verdict/only-declared.ts';
import { verdicts, type Verdict } from '#lib/domain/verdict/verdict.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { verdictLabel } from '#lib/format/verdict-label.ts';
import { VerdictGlyph } from '../ui/verdict-glyph.tsx';
import { HeaderState } from './grid/header-state.tsx';
import { PageLink as Link } from '../ui/page-link.tsx';

const most = 60;

/** On a phone there is no matrix: clusters as rows, worst first, with counts by glyph. */
export function ClusterList({ fleet }: { readonly fleet: WireFleet }) {
  const worstFirst = fleet.rows.toSorted((a, b) => b.silent - a.silent || rankOfRow(a) - rankOfRow(b));
  const more = worstFirst.length - most;
  return (
    <section className="hidden max-[641px]:block" aria-label="Clusters">
      <ul>
        {worstFirst.slice(0, most).map((row) => (
          <ClusterLine key={row.cluster} row={row} />
        ))}
      </ul>
      {more > 0 && (
        <p className="px-gutter py-3">
          <Link className="link" href="/objects" prefetch={false}>
            and {countOf(more, 'more cluster')}
          </Link>
        </p>
      )}
    </section>
  );
}

function ClusterLine({ row }: { readonly row: WireRow }) {
  const counts = countsObserved(row.counts, row.declared);
  const present = verdicts.filter((verdict) => (counts[verdict] ?? 0) > 0);
  return (
    <li className="border-b border-faint">
      <Link href={clusterPath(row.cluster)} prefetch={false} className="flex min-h-11 items-center gap-3 px-gutter">
        <span className="min-w-0 flex-1 truncate font-medium">{row.cluster}</span>
        {row.state !== 'declared' && (row.state !== 'live' || row.plannedWork !== null) && <HeaderState row={row} />}
        <span className="flex items-center gap-2.5">
          {present.map((verdict) => (
            <Count
              key={verdict}
              verdict={verdict}
              count={counts[verdict] ?? 0}
              silent={verdict === row.worst && row.silent > 0}
            />
          ))}
          {row.declared > 0 && <span className="text-small text-mute">{formatCount(row.declared)} declared</span>}
        </span>
      </Link>
    </li>
  );
}

function Count({
  verdict,
  count,
  silent,
}: {
  readonly verdict: Verdict;
  readonly count: number;
  readonly silent: boolean;
}) {
  return (
    <span
      className={
        silent ? 'inline-flex items-center gap-1 border-2 border-ink px-1 text-paper' : 'inline-flex items-center gap-1'
      }
      style={silent ? { background: `var(--${verdict})` } : undefined}
    >
      <VerdictGlyph verdict={verdict} plain={silent} />
      <span className="sr-only">{verdictLabel(verdict)}</span>
      <span className="font-mono text-small">{formatCount(count)}</span>
      {silent && <span className="sr-only">, nobody is being called</span>}
    </span>
  );
}
