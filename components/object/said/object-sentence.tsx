'use client';

import type { WireObjectPage } from '#lib/api/object.ts';
import { lacksMeasure, unmeasuredText } from '#lib/format/drift-label.ts';
import { countOf } from '#lib/format/number.ts';
import { verdictLabel } from '#lib/format/verdict-label.ts';
import { useFeedAge } from '../../shell/live/feed-age.ts';
import { Duration } from '../../ui/duration.tsx';
import { RangeText } from '../../ui/range-text.tsx';
import { elsewhereSentence } from '../relations/elsewhere.ts';
import { SaidSentence } from './said-sentence.tsx';
import { Say } from '../../ui/page/page.tsx';

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
        {object.alarm.state === 'silent' && ', and nobody was called'}
      </b>
      {called[object.alarm.state]} <SaidSentence page={page} />{' '}
      {lacksMeasure(object, object.sentence) && <span className="text-mute">{unmeasuredText} </span>}
      {object.range !== null && (
        <>
          It <RangeText range={object.range} />.{' '}
        </>
      )}
      {elsewhereSentence(page)}
      {waiting > 0 && ` ${countOf(waiting, 'object')} ${waiting === 1 ? 'waits' : 'wait'} for this one.`}
      {beneath > 0 &&
        ` ${countOf(beneath, waiting > 0 ? 'more object' : 'object')} beneath it ${beneath === 1 ? 'is' : 'are'} not in order.`}
      {object.reconciling && !object.rolling && ' A pass is under way.'}
    </Say>
  );
}

/** End of the first sentence; that nobody was called stands in colour before it. */
const called: Readonly<Record<WireObjectPage['object']['alarm']['state'], string>> = {
  sounding: ', and an alarm is sounding.',
  silent: '.',
  pending: '; an alarm is pending.',
  unknown: '; whether anybody was called is not known.',
  'not-due': '.',
};

/** The colour of what is wrong; what is in order, or only not proven, stays ink. */
function toneOf({ object }: WireObjectPage): string {
  return object.verdict === 'converged' || object.verdict === 'unconfirmed' || object.verdict === 'unobserved'
    ? 'var(--ink)'
    : `var(--${object.verdict})`;
}
