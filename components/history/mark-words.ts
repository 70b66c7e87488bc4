import type { WireEarlier, WireLane, WireMarkOfTime, WireState } from '#lib/api/history.ts';
import { formatDuration } from '#lib/format/duration.ts';
import { countOf, formatCount, formatShare } from '#lib/format/number.ts';
import { shortCommit, shortRevision } from '#lib/format/revision.ts';
import { formatTime, parseTime } from '#lib/format/time.ts';
import { verdictWord } from '#lib/format/verdict-word.ts';

/** The state of a mark as a word: a verdict, "Not there", "Not recorded". */
export function stateWord(state: WireState): string {
  if (state === 'absent') return 'Not there';
  return state === 'not-recorded' ? 'Not recorded' : verdictWord(state);
}

/** What a mark is: "Diverged", "3 events, the worst diverged". */
export function markWhat({ state, events }: WireMarkOfTime): string {
  return events > 1 ? `${countOf(events, 'event')}, the worst ${stateWord(state).toLowerCase()}` : stateWord(state);
}

/** What is told of it beside state and time: why, on how many objects, what ran, when it had begun. '' for nothing. */
export function markWhy(mark: WireMarkOfTime, lane: Pick<WireLane, 'objects'>): string {
  const { objects, reason, commit, onset, from } = mark;
  const began = parseTime(onset?.time ?? '');
  const start = parseTime(from) ?? 0;
  return [
    lane.objects > 1 && objects > 0 ? `${formatCount(objects)} of ${countOf(lane.objects, 'object')}` : '',
    reason ?? '',
    commit === null ? '' : `ran ${shortCommit(commit)}`,
    onset === null || began === null
      ? ''
      : `${onset.bound === 'at-least' ? 'since before' : 'since'} ${formatTime(began, start)}`,
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** One mark in one sentence: "Diverged from 21 Nov 02:12:20 UTC for 47 min: BuildFailed, ran 2d81e55". `now` in ms. */
export function markSentence(mark: WireMarkOfTime, lane: Pick<WireLane, 'objects'>, now: number): string {
  const [from, to] = [parseTime(mark.from) ?? 0, parseTime(mark.to) ?? 0];
  const why = markWhy(mark, lane);
  return `${markWhat(mark)} from ${formatTime(from, now)} for ${formatDuration(to - from)}${why === '' ? '' : `: ${why}`}`;
}

/** What a reconciler told of before: "Told by its reconciler: ReconciliationSucceeded at main@2d81e55, at least from ... to ...". */
export function earlierSentence({ from, to, status, revision }: WireEarlier, now: number): string {
  const [start, end] = [parseTime(from) ?? 0, parseTime(to) ?? 0];
  const at = revision === null ? '' : ` at ${shortRevision(revision)}`;
  return `Told by its reconciler: ${status}${at}, at least from ${formatTime(start, now)} to ${formatTime(end, now)}`;
}

/** What a lane is, with its share in short: "12 objects, 98.6 % converged". */
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
