import Link from 'next/link';
import type { Truth, WireFleet, WireRow } from '#lib/api/fleet.ts';
import { clusterPath } from '#lib/api/paths.ts';
import { verdicts, verdictRank } from '#lib/domain/verdict.ts';
import { formatCount } from '#lib/format/number.ts';
import { verdictWord } from '#lib/format/verdict-word.ts';
import { PlumbLine } from '../shell/plumb-line.tsx';
import { VerdictGlyph } from '../ui/verdict-glyph.tsx';
import { HeadState } from './head-state.tsx';
import { isUnseen } from './row-state.ts';

const most = 14;

interface WallProps {
  readonly fleet: WireFleet;
  readonly truth: Truth;
  /** As in the sentence of the fleet page. */
  readonly lastKnown: boolean;
}

/** The fleet for a screen on the wall, read from three metres: the sentence, the counts, the worst 14 clusters. */
export function Wall({ fleet, truth, lastKnown }: WallProps) {
  const { guarantee, counts } = fleet.head;
  const present = verdicts.filter((verdict) => (counts[verdict] ?? 0) > 0);
  const worst = fleet.rows.filter(isAway).toSorted((a, b) => b.silent - a.silent || rankOf(a) - rankOf(b));
  return (
    <div className="wall">
      <div className="flex items-start gap-8">
        <PlumbLine truth={truth} className="h-[150px] w-[65px] flex-none" />
        <div>
          <p className="text-[20px] text-mute">{guarantee.caption}</p>
          <h1 className="text-[48px] leading-[1.15] font-medium tracking-tight">
            {lastKnown && <span className="font-semibold">That cannot be said now. Last known: </span>}
            {guarantee.lead !== '' && (
              <b className={truth === 'broken' ? 'text-diverged' : undefined}>{guarantee.lead} </b>
            )}
            {guarantee.head}
          </h1>
        </div>
      </div>
      <ul className="mt-8 flex flex-wrap gap-x-10 gap-y-4">
        {present.map((verdict) => (
          <li key={verdict}>
            <span className="block text-[72px] leading-none font-medium">{formatCount(counts[verdict] ?? 0)}</span>
            <span className="mt-2 flex items-center gap-2 text-[20px] text-mute">
              <VerdictGlyph verdict={verdict} size={24} />
              {verdictWord(verdict)}
            </span>
          </li>
        ))}
      </ul>
      <ul className="mt-8 border-t border-rule">
        {worst.slice(0, most).map((row) => (
          <WallRow key={row.cluster} row={row} />
        ))}
      </ul>
    </div>
  );
}

function WallRow({ row }: { readonly row: WireRow }) {
  const present = verdicts.filter((verdict) => verdict !== 'converged' && (row.counts[verdict] ?? 0) > 0);
  return (
    <li className="flex h-11 items-center gap-8 border-b border-rule text-[24px]">
      <Link className="w-[16ch] truncate font-medium" href={clusterPath(row.cluster)} prefetch={false}>
        {row.cluster}
      </Link>
      <span className="w-[11ch]">
        <HeadState row={row} />
      </span>
      {row.silent > 0 && (
        <span className="bg-diverged px-3 font-semibold text-paper outline-2 -outline-offset-2 outline-ink">
          {row.silent} silent
        </span>
      )}
      {present.map((verdict) => (
        <span key={verdict} className="flex items-center gap-2">
          <VerdictGlyph verdict={verdict} size={24} alone />
          {formatCount(row.counts[verdict] ?? 0)}
        </span>
      ))}
    </li>
  );
}

function isAway(row: WireRow): boolean {
  return isUnseen(row) || (row.worst !== null && row.worst !== 'converged');
}

function rankOf(row: WireRow): number {
  return row.worst === null ? 99 : verdictRank(row.worst);
}
