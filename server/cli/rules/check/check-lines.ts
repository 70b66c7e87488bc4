import type { RulesCheck } from '#lib/domain/alarm/rules-check.ts';
import type { GroupKind } from '#lib/domain/observation/ref.ts';
import { countOf } from '#lib/format/number.ts';
import { inColumns } from '../../columns.ts';

/** The table of a comparison: gaps, dead rules, gaps of rules that count, and what nothing can be said of; no line where all is sound. */
export function checkLines({ gaps, dead, counts, unclear }: RulesCheck): readonly string[] {
  const rows = [
    ...gaps.map(({ gap, cluster, objects, of, text, mend, ...kind }) => [
      gap,
      cluster,
      nameOf(kind),
      `${objects} of ${of}`,
      `${text} ${mend}`,
    ]),
    ...dead.map(({ source, rule, text, mend }) => ['dead', source, rule, '', `${text} ${mend}`]),
    ...counts.map(({ gap, source, rule, text, mend }) => [gap, source, rule, '', `${text} ${mend}`]),
    ...unclear.map(({ cluster, why, ...kind }) => ['unclear', cluster, nameOf(kind), '', why]),
  ];
  return rows.length === 0 ? [] : inColumns([['GAP', 'CLUSTER OR SOURCE', 'KIND OR RULE', 'OBJECTS', ''], ...rows]);
}

function nameOf({ group, kind }: GroupKind): string {
  return `${kind}.${group}`;
}

/** Result of a comparison, in one line. */
export function checkCount({ gaps, dead, counts, unclear, sound }: RulesCheck): string {
  const all = gaps.length + unclear.length + sound;
  const clusters = all === 1 ? 'kind on a cluster' : 'kinds on clusters';
  const counted = counts.length === 0 ? '' : ` ${countOf(counts.length, 'gap')} of rules that count.`;
  return `Of ${all} ${clusters}: ${gaps.length} with a gap, ${unclear.length} unclear, ${sound} sound. ${countOf(dead.length, 'dead rule')}.${counted}`;
}

/** 1 where there is a gap of any sort or a dead rule, else 2 where nothing can be said of a kind, or `isLacking` says of something else, else 0. */
export function checkCode({ gaps, dead, counts, unclear }: RulesCheck, isLacking: boolean): 0 | 1 | 2 {
  if (gaps.length + dead.length + counts.length > 0) return 1;
  return unclear.length > 0 || isLacking ? 2 : 0;
}
