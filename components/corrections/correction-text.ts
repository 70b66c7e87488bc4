import type { WireCorrectionDay, WireCorrectionList } from '#lib/api/correction.ts';
import { certainties } from '#lib/api/correction.ts';
import { lowerFirst } from '#lib/domain/verdict/lower-first.ts';
import { countOf, formatCount } from '#lib/format/number.ts';

type Certainty = (typeof certainties)[number];

/** Meaning of each certainty, in one line. */
export const certaintyMeaning: Readonly<Record<Certainty, string>> = {
  confirmed: 'the reconciler wrote it again while nothing new had come from git',
  probable: 'the same, as far as its events tell; something new from git cannot be ruled out',
  contested: 'undone, and changed back again and again: something else writes the same',
};

/** All of a day. */
export function sumOf({ confirmed, probable, contested }: WireCorrectionDay): number {
  return confirmed + probable + contested;
}

/**
 * Sum of the period: "Drift was found and undone at least 28 times, on 3 objects: 3 confirmed, 25 contested." Over rows of one
 * certainty it says first that its figures are of all.
 */
export function correctionsSentence(list: WireCorrectionList, certainty: string): string {
  if (list.notRecorded !== null) return list.notRecorded;
  const sentence = wholeSentence(list);
  return certainty === '' ? sentence : `Of every certainty: ${lowerFirst(sentence)}`;
}

function wholeSentence({ days, most, mostOf, rows }: WireCorrectionList): string {
  const counts = certainties.map((certainty) => ({
    certainty,
    count: days.reduce((sum, day) => sum + day[certainty], 0),
  }));
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  if (all === 0 && rows.length === 0) return 'No drift was seen to be undone.';
  const parts = counts
    .filter(({ count }) => count > 0)
    .map(({ certainty, count }) => `${formatCount(count)} ${certainty}`);
  const where = mostOf === null && most.length < 10 ? `, on ${countOf(most.length, 'object')}` : '';
  return `Drift was found and undone at least ${all === 1 ? 'once' : `${formatCount(all)} times`}${where}: ${parts.join(', ')}.`;
}
