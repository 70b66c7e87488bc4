'use client';

import type { WireObjectPage } from '#lib/api/object.ts';
import { brokenText } from '#lib/domain/alarm/alarm-text.ts';
import { lacksMeasure, unmeasuredText } from '#lib/format/verdict-label.ts';
import { countOf } from '#lib/format/number.ts';
import { verdictLabel } from '#lib/format/verdict-label.ts';
import { useFeedAge } from '../../shell/live/feed-age.ts';
import { Duration } from '../../ui/time.tsx';
import { calledBy, chainIsOf } from '../alarm/alarm-words.ts';
import { RangeText, Commit } from '../../ui/commit.tsx';
import { Say } from '../../ui/page/page.tsx';
import { partsOf, SaidText } from '../../ui/said-text.tsx';
import { shortCommit } from '#lib/format/revision.ts';
import { isAway } from '#lib/domain/guarantee/guarantee.ts';

/** Sentence on what is wrong, for how long, whether anybody was called, what runs, between which commits it broke, and what hangs on it. */
export function ObjectSentence({ page }: { readonly page: WireObjectPage }) {
  const { object, waitsForThis } = page;
  const age = useFeedAge();
  const waiting = waitsForThis.filter(({ verdict }) => verdict === 'waiting').length;
  const beneath = waitsForThis.length - waiting;
  return (
    <Say>
      {age === 'dead' && <span className="font-semibold">This cannot be said now. Last known: </span>}
      <b style={{ color: toneOf(page) }}>
        {verdictLabel(object.verdict)}
        {object.was !== null && object.was !== object.verdict && ` (${object.was} when last seen)`} for{' '}
        <Duration since={object.onset.time} bound={object.onset.bound} />
        {object.alarm.state === 'silent' && `, and nobody is being called${whyOf(object.alarm)}`}
      </b>
      {endOf(page)} <SaidSentence page={page} />{' '}
      {lacksMeasure(object, object.sentence) && <span className="text-mute">{unmeasuredText} </span>}
      {object.range !== null && (
        <>
          It <RangeText range={object.range} />.{' '}
        </>
      )}
      <SaidText text={elsewhereSentence(page)} commits={[page.elsewhere.atCommit?.commit ?? null]} />
      {waiting > 0 && ` ${countOf(waiting, 'object')} ${waiting === 1 ? 'waits' : 'wait'} for this one.`}
      {beneath > 0 &&
        ` ${countOf(beneath, waiting > 0 ? 'more object' : 'object')} beneath it ${beneath === 1 ? 'is' : 'are'} not in order.`}
      {object.reconciling && !object.rolling && ' A pass is under way.'}
    </Say>
  );
}

function whyOf({ broken }: WireObjectPage['object']['alarm']): string {
  return broken === null ? '' : `: ${brokenText[broken]}`;
}

/** End of the first sentence; that nobody is being called stands in colour before it. */
function endOf(page: WireObjectPage): string {
  switch (page.object.alarm.state) {
    case 'sounding': {
      const whom = chainIsOf(page) ? calledBy(page) : [];
      return `, and an alarm is sounding${whom.length === 0 ? '' : `: ${whom.join(', ')}`}.`;
    }
    case 'pending':
      return '; nobody is called yet, and no call is due yet.';
    case 'unknown':
      return '; whether anybody was called is not known.';
    case 'silent':
    case 'not-due':
      return '.';
  }
}

/** The colour of what is wrong; what is in order, or only not proven, stays ink. */
function toneOf({ object }: WireObjectPage): string {
  return object.verdict === 'converged' || object.verdict === 'unconfirmed' || object.verdict === 'unobserved'
    ? 'var(--ink)'
    : `var(--${object.verdict})`;
}

/** The object's own sentence, its path and commits set apart and linked where they lead somewhere. */
function SaidSentence({ page }: { readonly page: WireObjectPage }) {
  const { sentence } = page.object;
  const said = /[.?:]$/.test(sentence) ? sentence : `${sentence}.`;
  const marks = marksOf(page);
  return partsOf(said, [...marks.keys()]).map((part, index) => {
    const mark = marks.get(part);
    const key = `${index}${part}`;
    if (mark === undefined) return <span key={key}>{part}</span>;
    return mark.commit === null ? (
      <code key={key} className="text-[0.82em] wrap-anywhere">
        {part}
      </code>
    ) : (
      <Commit key={key} commit={mark.commit} href={mark.href} className="font-medium" />
    );
  });
}

interface Mark {
  readonly commit: string | null;
  readonly href: string | null;
}

function marksOf({ object }: WireObjectPage): Map<string, Mark> {
  const marks = new Map<string, Mark>();
  if (object.path !== null && object.path !== '') marks.set(object.path, { commit: null, href: object.links.tree });
  const { applied, attempted, offered } = object.revision;
  for (const revision of [applied, attempted, offered]) {
    const hash = revision === null ? undefined : /([0-9a-f]{40,64})$/.exec(revision)?.[1];
    if (hash !== undefined) marks.set(shortCommit(hash), { commit: hash, href: null });
  }
  for (const end of [object.range?.lastGood, object.range?.firstBad])
    if (end?.commit) marks.set(end.text, { commit: end.commit, href: end.href });
  if (object.commit !== null)
    marks.set(shortCommit(object.commit), { commit: object.commit, href: object.links.commit });
  return marks;
}

type Elsewhere = Pick<WireObjectPage, 'object' | 'elsewhere'>;

/** Sentence on the same object on the other clusters that have it: is this only here, or everywhere? */
export function elsewhereSentence(page: Elsewhere): string {
  const { object, elsewhere } = page;
  const { clusters, converged } = elsewhere;
  if (clusters === 0) return 'No other cluster has it.';
  if (object.verdict !== 'converged') {
    const atCommit = atCommitSentence(page);
    if (atCommit !== null) return atCommit;
  }
  const others = countOf(clusters, 'other cluster');
  const good = object.verdict === 'converged';
  if (converged === clusters) {
    const all = clusters === 1 ? 'the other cluster' : `the ${others}`;
    return good ? `Converged on ${all} too.` : `Only here: converged on ${all}.`;
  }
  if (converged === 0) {
    return clusters === 1 ? 'Not converged on the other cluster.' : `Converged on none of ${others}.`;
  }
  return `Converged on ${converged} of ${others}.`;
}

/** Sentence on the others that run or try the same commit; null where there are none. */
function atCommitSentence({ object, elsewhere: { atCommit } }: Elsewhere): string | null {
  if (atCommit === null || atCommit.clusters === 0) return null;
  const { clusters, converged, away } = atCommit;
  const commit = shortCommit(atCommit.commit);
  const others = countOf(clusters, 'other cluster');
  if (converged === clusters)
    return clusters === 1
      ? `Only here: converged on the other cluster at ${commit}.`
      : `Only here: converged on the ${others} at ${commit}.`;
  const cannotBeSaid = clusters - converged - away;
  const rest = cannotBeSaid === 0 ? '' : `; not confirmed on ${cannotBeSaid}`;
  if (isAway(object.verdict) && away === clusters) return `Away from git on all ${clusters + 1} clusters at ${commit}.`;
  if (isAway(object.verdict) && away > 0)
    return `Away from git on ${away + 1} of ${clusters + 1} clusters at ${commit}${rest}.`;
  return `Converged on ${converged} of ${others} at ${commit}${rest}.`;
}
