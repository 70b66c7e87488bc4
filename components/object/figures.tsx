'use client';

import { Fragment } from 'react';
import type { WireCommitRange, WireObjectPage } from '#lib/api/object.ts';
import { betweenText, sameRevisionFailed } from '#lib/domain/record/commit-range-text.ts';
import { formatDuration } from '#lib/format/duration.ts';
import { shortRevision } from '#lib/format/revision.ts';
import { runningWord } from '#lib/format/running-word.ts';
import { parseTime } from '#lib/format/time.ts';
import { useMoment } from '../shell/moment/moment.tsx';
import { CommitsBetween } from '../suspects/object-suspects.tsx';
import type { SentSuspects } from '../suspects/use-suspects.ts';
import { Commit, CommitWords, RangeEnd, RangeWords } from '../ui/commit.tsx';
import { useObjectLag } from '../queries/use-lag.ts';
import { LagText, MirrorAge } from '../ui/lag.tsx';
import { useNow } from '../ui/now.tsx';
import { Figure, FigureRow } from '../ui/page/figures.tsx';
import { SaidText } from '../ui/said-text.tsx';
import { Time } from '../ui/time.tsx';

interface FiguresProps extends PageProps {
  readonly suspects: SentSuspects | null;
}

/** Since when and how well that is known; what runs; between which commits it broke; the last attempt and the next. */
export function Figures({ page, suspects }: FiguresProps) {
  return (
    <FigureRow>
      <Since page={page} />
      <Running page={page} />
      <Broke page={page} suspects={suspects} />
      <Attempt page={page} />
    </FigureRow>
  );
}

interface PageProps {
  readonly page: WireObjectPage;
}

const promptly = 10_000;

function Since({ page: { object, transitions } }: PageProps) {
  const { onset, awaySince } = object;
  const began = parseTime(onset.time) ?? 0;
  const noticed = parseTime(onset.noticedAt) ?? began;
  const away = awaySince === null || awaySince.time >= onset.time ? null : awaySince;
  const known =
    onset.bound === 'at-least' ? (
      transitions.some(({ at }) => at < onset.time) ? (
        'it began while nobody looked'
      ) : (
        'it began before it was seen'
      )
    ) : noticed - began <= promptly ? (
      'seen as it began'
    ) : (
      <>known {formatDuration(noticed - began)} later</>
    );
  return (
    <Figure
      name={onset.bound === 'at-least' ? 'Since at least' : 'Since'}
      value={<Time at={onset.time} />}
      note={
        <>
          {known}
          {away !== null && (
            <>
              ; not converged since {away.bound === 'at-least' && 'at least '}
              <Time at={away.time} as="clock" />
            </>
          )}
        </>
      }
    />
  );
}

function Running({ page: { object } }: PageProps) {
  const past = useMoment() !== null;
  const { applied, offered } = object.revision;
  const source = object.role === 'source';
  const name = runningWord(object);
  if (object.commit !== null && !source && object.role !== 'applier')
    return (
      <Figure
        name={name}
        value={<Commit commit={object.commit} href={object.links.commit} />}
        note={
          <>
            <CommitWords commit={object.commit} lines />
            what delivers it was applied at this commit
          </>
        }
      />
    );
  if (object.commit !== null) {
    const note = source
      ? 'the newest it has fetched'
      : object.commitDiffers === 'yes'
        ? `its source offers ${offered === null ? 'a newer one' : shortRevision(offered)}`
        : offered === null
          ? past
            ? 'as this verdict began; what was offered is not kept'
            : 'what is offered now is not read'
          : 'the newest that its source offers';
    return (
      <Figure
        name={name}
        value={<Commit commit={object.commit} href={object.links.commit} />}
        note={
          <>
            <CommitWords commit={object.commit} lines />
            <SaidText text={note} commits={[wholeCommit(offered)]} />
            <Behind object={object} />
          </>
        }
      />
    );
  }
  if (applied !== null) {
    const note =
      offered === null || offered === applied
        ? 'its git commit is not known'
        : `its source offers ${shortRevision(offered)}`;
    const said = <SaidText text={note} commits={[wholeCommit(offered)]} />;
    return <Figure name={name} value={shortRevision(applied)} note={said} />;
  }
  if (past) return <Figure name={name} value="not kept" note="no commit is recorded with this verdict" />;
  if (object.role === 'applier')
    return <Figure name={name} value="no revision" note="none has been applied in full yet" />;
  return <Figure name={name} value="not known" note="it is not made from a revision of its own" />;
}

/** Its distance behind its branch, by the commits that touch its path. */
function Behind({ object }: { readonly object: WireObjectPage['object'] }) {
  const shown = useObjectLag(object);
  if (shown === null) return null;
  return (
    <span className="block">
      <LagText lag={shown.lag} />
      {shown.mirroredAt !== null && '; '}
      <MirrorAge at={shown.mirroredAt} />
    </span>
  );
}

/** The commit that a revision ends with; null where it names none. */
function wholeCommit(revision: string | null): string | null {
  return revision === null ? null : (/(?:^|[^0-9a-f])([0-9a-f]{40}|[0-9a-f]{64})$/.exec(revision)?.[1] ?? null);
}

const between = 'Broke between';

/** The words of the figure of a range: its name, and what stands beneath it. */
function brokeWords(range: WireCommitRange): { readonly name: string; readonly note: string } {
  const { lastGood, firstBad, watched } = range;
  if (lastGood === null && firstBad === null) return { name: 'Broke', note: 'it names no revision that it tried' };
  if (lastGood === null)
    return watched
      ? { name: 'First failed at', note: 'it has never worked' }
      : { name: 'Was failing at', note: 'where it last worked is not known' };
  if (firstBad === null) return { name: 'Last worked at', note: 'where it first failed is not known' };
  if (sameRevisionFailed(range))
    return { name: 'Failed at', note: 'where it had worked: no commit is known to be the cause' };
  return { name: between, note: betweenText(range) };
}

function Broke({ page: { object }, suspects }: FiguresProps) {
  const { range, verdict, revision } = object;
  if (range !== null) {
    const { lastGood, firstBad } = range;
    const known = [lastGood, firstBad].filter((end) => end !== null);
    const ends = sameRevisionFailed(range) ? known.slice(1) : known;
    const value = ends.map((end, index) => (
      <Fragment key={index === 0 ? 'first' : 'last'}>
        {index > 0 && ' and '}
        <RangeEnd end={end} />
      </Fragment>
    ));
    const { name, note } = brokeWords(range);
    return (
      <Figure
        name={name}
        value={ends.length === 0 ? 'not known' : value}
        note={
          <>
            <RangeWords range={range} />
            {name === between ? <CommitsBetween object={object} sent={suspects} seen={note} /> : note}
          </>
        }
      />
    );
  }
  const fails = verdict === 'diverged' || verdict === 'unhealthy';
  const newest = fails ? revision.attempted : (revision.offered ?? revision.attempted);
  const name = fails ? 'Tried last' : revision.offered === null ? 'Newest tried' : 'Newest offered';
  const note = fails ? 'no commit is known to be the cause' : 'no attempt of its own is known to fail';
  const value = newest === null ? 'no revision' : shortRevision(newest);
  return <Figure name={name} value={<SaidText text={value} commits={[wholeCommit(newest)]} />} note={note} />;
}

function Attempt({ page: { object, lastAttempt, nextAttempt, cadence } }: PageProps) {
  const now = useNow();
  const past = useMoment() !== null;
  const next = nextAttempt === null ? null : parseTime(nextAttempt);
  const failed = object.verdict === 'diverged' || object.verdict === 'unhealthy';
  if (past) return <Figure name="Last known pass" value="not kept" note="passes are not recorded one by one" />;
  const every = cadence.intervalMs === null ? null : `every ${formatDuration(cadence.intervalMs)}`;
  const retry =
    cadence.retryIntervalMs === null || !failed ? null : `retried every ${formatDuration(cadence.retryIntervalMs)}`;
  const rhythm = retry ?? every;
  const due =
    object.verdict === 'suspended'
      ? 'none is due: suspended'
      : next === null
        ? (rhythm ?? 'when the next is due is not known')
        : next > now
          ? `next in about ${formatDuration(next - now)}${rhythm === null ? '' : `, ${rhythm}`}`
          : `next due now${rhythm === null ? '' : `, ${rhythm}`}`;
  return (
    <Figure
      name={failed ? 'Last attempt, failed' : 'Last known pass'}
      value={lastAttempt === null ? 'not known' : <Time at={lastAttempt} as="clock" />}
      note={due}
    />
  );
}
