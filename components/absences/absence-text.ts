import type { WireAbsence, WireAbsenceList } from '#lib/api/absence.ts';
import { calledHows, type CalledHow } from '#lib/domain/alarm/alarm-figures.ts';
import { pagingText } from '#lib/domain/alarm/alarm-text.ts';
import { absenceClauses, medianWords } from '#lib/report/clauses/absence-clauses.ts';
import { formatDuration, least } from '#lib/format/duration.ts';
import { lowerFirst } from '#lib/domain/verdict/lower-first.ts';
import { parseTime } from '#lib/format/time.ts';
import { alarmLabel } from '#lib/format/verdict-label.ts';
import type { AbsenceParts } from './absence-filter.ts';

/** Time it took, or has lasted: "47 min", "at least 2 h". `now` in ms. */
export function lengthText(absence: WireAbsence, now: number): string {
  const { openedAt, closedAt } = absence;
  const from = parseTime(openedAt) ?? 0;
  const to = closedAt === null ? now : (parseTime(closedAt) ?? now);
  return `${least(absence)}${formatDuration(to - from)}`;
}

/** Words on its end beside how long it took: "ongoing", "removed from the cluster"; '' where it was converged again. */
export function endingText({ ended }: WireAbsence): string {
  switch (ended) {
    case null:
      return 'ongoing';
    case 'converged':
      return '';
    case 'removed':
      return 'removed from the cluster';
    case 'forgotten':
      return 'cluster no longer configured';
  }
}

/** Tells if anybody was called, as far as it is known; it can be read without the head of its column. */
export function alarmText({ alarm, broken }: WireAbsence): string {
  if (alarm === 'not-due') return 'no alarm due yet';
  if (alarm === 'silent' && broken !== null) return `${alarmLabel.silent} (${broken})`;
  return alarmLabel[alarm ?? 'unknown'];
}

/** Why it is not known of some of them whether anybody was called; null where it is known of all. */
export function notCalledWhy(rows: readonly WireAbsence[]): string | null {
  const why = new Set(rows.flatMap(({ alarmUnknown }) => alarmUnknown ?? []));
  const some = rows.some(({ alarm }) => alarm === 'sounding' || alarm === 'silent' || alarm === 'pending');
  const paging = pagingText({ why, some });
  if (paging !== null) return paging;
  return rows.some(({ alarm }) => alarm === null) ? 'Whether anybody was called is not told of what has ended.' : null;
}

/** Sum of the period: "2 times an object left git; 1 of them came back; 1 was still away at the end. The one …". */
export function absencesSentence({ figures, notRecorded }: WireAbsenceList): string {
  if (notRecorded !== null) return notRecorded;
  const { closed, medianToConverge, medianToConvergeAtLeast } = figures;
  const clauses = absenceClauses(figures).map(({ count, words }) => count + words);
  const median =
    medianToConverge === null
      ? ''
      : ` ${medianWords(closed, medianToConvergeAtLeast)}${formatDuration(medianToConverge)}.`;
  return `${clauses.join('; ')}.${median}`;
}

/** The same over rows that are filtered, by the filter's parts: the figures are of all. */
export function narrowedSentence(list: WireAbsenceList, { verdict, open, called }: AbsenceParts): string {
  const sentence = absencesSentence(list);
  return list.notRecorded !== null || (verdict === '' && open === '' && called === '')
    ? sentence
    : `Of every verdict, ongoing or ended${called === '' ? '' : ', called for or not'}: ${lowerFirst(sentence)}`;
}

const calledTexts: Readonly<Record<CalledHow, string>> = {
  'in-time': 'in time',
  late: 'late',
  never: 'never',
  unknown: 'not known',
};

/** Words of the choice by how somebody was called, and of a filter with several: "late or never"; '' for any. */
export function calledChoiceText(called: string): string {
  const hows = calledHows.filter((how) => called.split(',').includes(how));
  return hows.map((how) => calledTexts[how]).join(' or ');
}
