import type { WireLane } from '#lib/api/history.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { verdicts } from '#lib/domain/verdict/verdict.ts';
import { formatTime } from '#lib/format/time.ts';
import { MarkParts } from './lane-track.tsx';
import { stateLabel } from './mark-text.ts';

interface LaneKeyProps {
  readonly lanes: readonly WireLane[];
  readonly period: Period;
  /** ms */
  readonly now: number;
}

/** Key of each state that the lanes show, and of what a height and a gathered mark mean; on paper the period too. */
export function LaneKey({ lanes, period, now }: LaneKeyProps) {
  const marks = lanes.flatMap((lane) => lane.marks);
  const shown = new Set(marks.flatMap(({ shares }) => shares.map(({ state }) => state)));
  const gathered = marks.find(({ changes, shares }) => changes > 0 && shares.length > 1);
  return (
    <div className="time-key">
      <span className="paper-only">
        {formatTime(period.from, now)} to {formatTime(period.to, now)}
      </span>
      {verdicts
        .filter((verdict) => shown.has(verdict))
        .map((verdict) => (
          <span key={verdict}>
            <i className="time-swatch" aria-hidden="true">
              <MarkParts shares={[{ state: verdict, share: 1 }]} />
            </i>
            {stateLabel(verdict)}
          </span>
        ))}
      {gathered !== undefined && (
        <span>
          <i className="time-swatch is-gathered" aria-hidden="true">
            <MarkParts shares={gathered.shares} />
          </i>
          Several changes, too close to be told apart: height is the share of the time
        </span>
      )}
      {lanes.some(({ objects }) => objects > 1) && <span>Height: the share of the objects, never under 5 px</span>}
    </div>
  );
}
