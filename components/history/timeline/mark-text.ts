import type { WireEarlier, WireHistory, WireLane, WireLaneRow, WireMarkOfTime, WireState } from '#lib/api/history.ts';
import { formatDuration } from '#lib/format/duration.ts';
import { countOf, formatCount, formatShare } from '#lib/format/number.ts';
import { shortCommit, shortRevision } from '#lib/format/revision.ts';
import { formatTime, parseTime } from '#lib/format/time.ts';
import { verdictLabel } from '#lib/format/verdict-label.ts';

/** The period that is shown and until when it is known (RFC 3339): what reaches its ends began before, or goes on. */
export type ShownFrame = Pick<WireHistory, 'asOf' | 'from' | 'to'>;

/** Parts that a state is told by, recorded or drawn. */
type LaneTime = Pick<WireLaneRow, 'from' | 'to' | 'state' | 'objects' | 'of' | 'reason' | 'commit' | 'onset'>;

/** A state as a word: a verdict, "Not there", "Not recorded". */
export function stateLabel(state: WireState): string {
  if (state === 'absent') return 'Not there';
  return state === 'not-recorded' ? 'Not recorded' : verdictLabel(state);
}

/** When a state began: "21 Nov 02:12:20 UTC", "before 21 Nov 02:00:00 UTC" where that is before the period. `now` in ms. */
export function beginText({ from }: Pick<LaneTime, 'from'>, frame: ShownFrame, now: number): string {
  const time = formatTime(parseTime(from) ?? 0, now);
  return from === frame.from ? `before ${time}` : time;
}

/** Length of a state: "47 min", "47 min, ongoing", "at least 2 h" where an end of it lies outside the period. */
export function lengthText({ from, to }: Pick<LaneTime, 'from' | 'to'>, frame: ShownFrame): string {
  const ongoing = to === frame.to && to === frame.asOf;
  const least = from === frame.from || (to === frame.to && !ongoing);
  const length = formatDuration((parseTime(to) ?? 0) - (parseTime(from) ?? 0));
  return `${least ? 'at least ' : ''}${length}${ongoing ? ', ongoing' : ''}`;
}

/** Number of objects in that state: "3 of 12 objects", "at most 3 of 12 objects"; '' for a lane of one object. */
export function reachText({ objects, of }: Pick<LaneTime, 'objects' | 'of'>, lane: LaneSize, steady: boolean): string {
  if (lane.objects <= 1 || of === 0) return '';
  return `${steady ? '' : 'at most '}${formatCount(objects)} of ${countOf(of, 'object')}`;
}

type LaneSize = Pick<WireLane, 'objects'>;

/** Words on a state beside its times: on how many objects, why, what ran, when it had begun. '' for nothing. `now` in ms. */
export function whyText(time: LaneTime, lane: LaneSize, steady: boolean, now: number): string {
  const { reason, commit, onset } = time;
  const began = parseTime(onset?.time ?? '');
  return [
    reachText(time, lane, steady),
    reason ?? '',
    commit === null ? '' : `ran ${shortCommit(commit)}`,
    onset === null || began === null
      ? ''
      : `${onset.bound === 'at-least' ? 'since before' : 'since'} ${formatTime(began, now)}`,
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/**
 * One mark in one sentence: "Diverged from 21 Nov 02:12:20 UTC for 47 min: BuildFailed, ran 2d81e55"; of a gathered one how much
 * of each state it holds. `now` in ms.
 */
export function markSentence(mark: WireMarkOfTime, lane: LaneSize, frame: ShownFrame, now: number): string {
  if (mark.changes > 0) return gatheredSentence(mark, lane, now);
  const why = whyText(mark, lane, true, now);
  const begin = beginText(mark, frame, now);
  const since = begin.startsWith('before') ? `since ${begin}` : `from ${begin}`;
  return `${stateLabel(mark.state)} ${since} for ${lengthText(mark, frame)}${why === '' ? '' : `: ${why}`}`;
}

function gatheredSentence(mark: WireMarkOfTime, lane: LaneSize, now: number): string {
  const [from, to] = [formatTime(parseTime(mark.from) ?? 0, now), formatTime(parseTime(mark.to) ?? 0, now)];
  const what = `${countOf(mark.changes, 'change')} from ${from} to ${to}, too close to be told apart`;
  const reach = reachText(mark, lane, false);
  if (reach !== '') return `${what}: at worst ${stateLabel(mark.state).toLowerCase()}, ${reach}`;
  const shares = mark.shares.map(({ state, share }, index) => {
    const word = stateLabel(state).toLowerCase();
    return `${word} ${formatShare(share)}${index === 0 ? ' of the time' : ''}`;
  });
  return `${what}: ${shares.join(', ')}`;
}

/** Sentence of a reconciler on before: "Told by its reconciler: ReconciliationSucceeded at main@2d81e55, at least from ... to ...". */
export function earlierSentence({ from, to, status, revision }: WireEarlier, now: number): string {
  const [start, end] = [parseTime(from) ?? 0, parseTime(to) ?? 0];
  const at = revision === null ? '' : ` at ${shortRevision(revision)}`;
  return `Told by its reconciler: ${status}${at}, at least from ${formatTime(start, now)} to ${formatTime(end, now)}`;
}

/** Note on a lane, with its share in short: "12 objects, 98.6 % converged". */
export function laneNote({ note, observed, converged }: WireLane): string {
  const share = observed === 0 ? 'never seen' : `${formatShare(converged / observed)} converged`;
  return note === '' ? share : `${note}, ${share}`;
}

/** "converged 98.6 % of what was seen; seen for 5 h 20 min of 6 h" */
export function sharesSentence({ existed, observed, converged }: WireLane): string {
  if (existed === 0) return 'not there in this period';
  if (observed === 0) return 'never seen in this period';
  const seen = observed >= existed ? 'seen throughout' : `seen ${formatShare(observed / existed)} of the time`;
  return `converged ${formatShare(converged / observed)} of what was seen; ${seen}`;
}
