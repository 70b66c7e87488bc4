import { brokenText } from '#lib/domain/alarm/alarm-text.ts';
import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import type { EmbedContent, EmbedLine } from '#lib/draw/embed/embed-content.ts';
import { minuteOf } from '#lib/draw/embed/embed-page.ts';
import type { WireGuarantee } from '#lib/api/fleet.ts';
import { objectPath } from '#lib/api/paths.ts';
import type { Policy } from '#lib/domain/guarantee/guarantee.ts';
import { guaranteeOf, isAway } from '#lib/domain/guarantee/guarantee.ts';
import { sinceOf } from '#lib/domain/matrix/matrix-row.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { verdicts } from '#lib/domain/verdict/verdict.ts';
import { least } from '#lib/format/duration.ts';
import { formatCount } from '#lib/format/number.ts';
import { shortCommit } from '#lib/format/revision.ts';
import { runningWord } from '#lib/format/running-word.ts';
import { verdictMeaning, verdictLabel } from '#lib/format/verdict-label.ts';

/** "In order or alarmed: 9,412; nobody is being called: 2; switched off: 31; not known: 86": without what there is none of. */
export function stateCountsText({ holds, broken, off, unknown, planned, declared }: StateCounts): string {
  const parts: readonly (readonly [string, number])[] = [
    ['in order or alarmed', holds],
    ['nobody is being called', broken],
    ['switched off', off],
    ['not known', unknown],
    ['planned work', planned],
    ['never observed', declared],
  ];
  const counted = parts.flatMap(([words, n]) => (n === 0 ? [] : `${words}: ${formatCount(n)}`)).join('; ');
  return counted.charAt(0).toUpperCase() + counted.slice(1);
}

type StateCounts = Pick<WireGuarantee, 'holds' | 'broken' | 'off' | 'unknown' | 'planned' | 'declared'>;

/** Those counts that are not 0, worst first. */
export function countsFound(counts: ReadonlyMap<Verdict, number>): EmbedContent['counts'] {
  return verdicts.flatMap((verdict) => {
    const n = counts.get(verdict) ?? 0;
    return n === 0 ? [] : [[verdict, n] as const];
  });
}

/** Clusters by what is not seen of them: all, or some kinds (blind). */
interface ClustersSeen {
  readonly total: number;
  readonly unseen: number;
  readonly blind: number;
}

/** Text of a badge of many objects: who is silent, else what is not seen, and what is worst; else whether the sentence holds. */
export function badgeText(
  truth: WireGuarantee['truth'],
  counts: EmbedContent['counts'],
  silent: { readonly objects: number; readonly worst: Verdict | null },
  clusters: ClustersSeen,
): EmbedContent['badge'] {
  if (silent.worst !== null)
    return {
      sign: { type: 'verdict', verdict: silent.worst },
      words: `${formatCount(silent.objects)} silent`,
      silent: true,
    };
  const unseen = unseenText(clusters);
  // Switched off on purpose is no fault; unobserved is said of the clusters.
  const fine: readonly Verdict[] = ['converged', 'suspended', ...(unseen === '' ? [] : ['unobserved' as const])];
  const worst = counts.find(([verdict]) => !fine.includes(verdict));
  if (worst !== undefined)
    return {
      sign: { type: 'verdict', verdict: worst[0] },
      words: `${unseen === '' ? '' : `${unseen}, `}${formatCount(worst[1])} ${worst[0]}`,
      silent: false,
    };
  const sign = { type: 'truth', truth } as const;
  if (unseen !== '') return { sign, words: unseen, silent: false };
  switch (truth) {
    case 'holds':
      return { sign: { type: 'verdict', verdict: 'converged' }, words: 'as in git', silent: false };
    case 'broken':
      return { sign, words: 'not as in git', silent: false };
    case 'unknown':
    case 'empty':
      return { sign, words: 'cannot be said', silent: false };
  }
}

function unseenText({ total, unseen, blind }: ClustersSeen): string {
  const of = (n: number): string => (total === 1 ? '' : `${formatCount(n)} of ${formatCount(total)} `);
  if (unseen > 0) return `${of(unseen)}not seen`;
  return blind > 0 ? `${of(blind)}partly seen` : '';
}

/** Since when an object is away, or in its verdict; with "at least" where it began before anybody looked. */
export function sinceText(object: KnownObject, now: number): string {
  return `since ${least(object.awaySince ?? object.onset)}${minuteOf(sinceOf(object), now)}`;
}

/**
 * The reason of a verdict where it is a word, such as BuildFailed. Embeds never carry messages: whoever frames them may show
 * them to anybody.
 */
function reasonLabel({ reason }: KnownObject): string {
  return /^[A-Za-z][A-Za-z0-9]{0,63}$/.test(reason) ? reason : '';
}

function calledWords({ alarm }: KnownObject, silent: boolean): string {
  if (silent)
    return 'broken' in alarm ? `nobody is being called: ${brokenText[alarm.broken]}` : 'nobody is being called';
  return alarm.state === 'sounding' ? 'somebody was called' : '';
}

/** The same where one object is all that is spoken of: also that it is not known. */
function calledOrNot(object: KnownObject, silent: boolean): string {
  if (object.alarm.state === 'unknown' && isAway(object.verdict)) return 'whether anybody was called is not known';
  return calledWords(object, silent);
}

/** One object in a list: verdict, since when, why, and whether anybody was called. */
export function objectLine(object: KnownObject, policy: Policy, now: number): EmbedLine {
  const { kind, namespace, name } = object.ref;
  const silent = guaranteeOf(object, policy, now) === 'broken';
  const note = [`${object.verdict} ${sinceText(object, now)}`, reasonLabel(object), calledWords(object, silent)];
  return {
    verdict: object.verdict,
    silent,
    title: `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`,
    note: note.filter((part) => part !== '').join(', '),
    href: objectPath(object.ref),
  };
}

/** One object as an embed of its own. `now` in ms; the object as known then. */
export function objectContent(object: KnownObject, policy: Policy, now: number): EmbedContent {
  const { cluster, kind, namespace, name } = object.ref;
  const { verdict } = object;
  const silent = guaranteeOf(object, policy, now) === 'broken';
  const reason = reasonLabel(object);
  const called = calledOrNot(object, silent);
  const runs = object.commit === null ? '' : ` ${runningWord(object)} ${shortCommit(object.commit)}.`;
  const sign = { type: 'verdict', verdict } as const;
  return {
    ...bare,
    title: `${name} on ${cluster}`,
    href: objectPath(object.ref),
    sign,
    lead: verdictLabel(verdict),
    sentence: `${sinceText(object, now)}${reason === '' || verdict === 'converged' ? '' : ` (${reason})`}${called === '' ? '' : `, and ${called}`}. ${verdictMeaning[verdict]}${runs}`,
    standing: `${kind}${namespace === '' ? '' : ` in ${namespace}`}`,
    badge: { sign, words: silent ? `${verdict}, silent` : verdict, silent },
  };
}

/** Content without counts, lines and table. */
export const bare: Pick<EmbedContent, 'counts' | 'standing' | 'lines' | 'table' | 'more'> = {
  counts: [],
  standing: '',
  lines: [],
  table: null,
  more: '',
};

/** Content where there is nothing to show. */
export function nothingContent(title: string, href: string, sentence: string, words: string): EmbedContent {
  const sign = { type: 'truth', truth: 'empty' } as const;
  return { ...bare, title, href, sign, lead: '', sentence, badge: { sign, words, silent: false } };
}
