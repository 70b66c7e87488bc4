'use client';

import './changes.css';
import { useState } from 'react';
import type { Changed, NotChanged } from '#lib/api/change.ts';
import type { WireFleetSummary } from '#lib/api/fleet.ts';
import { changesPath } from '#lib/api/paths.ts';
import { momentText } from '#lib/format/moment.ts';
import { formatShare } from '#lib/format/number.ts';
import { parseTime } from '#lib/format/time.ts';
import { useFrames } from '../shell/live/live.tsx';
import { RecordTabs } from '../record/record-page.tsx';
import { PageFrame } from '../shell/page-frame.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { StickyLine } from '../ui/sticky-line.tsx';
import { changeGroups } from './change-groups.ts';
import { ChangeTable } from './change-table.tsx';
import { changedSentence, listedSentence, timeText } from './changed-text.ts';
import { PeriodForm } from './period-form.tsx';
import { ListSentence } from '../ui/list/list-page.tsx';
import { Page } from '../ui/page/page.tsx';
import Link from 'next/link';

interface ChangesScreenProps {
  readonly changed: Changed;
  readonly summary: WireFleetSummary;
}

/** Changes from one moment to another: verdicts, and what was changed on the clusters. */
export function ChangesScreen({ changed, summary }: ChangesScreenProps) {
  const where = changed.cluster === '' ? '' : ` on ${changed.cluster}`;
  return (
    <PageFrame title={`What changed${where}`} tab="history" summary={{ ...summary, asOf: changed.asOf }}>
      <RecordTabs tab="changes" filter={filterOf(changed)} />
      <ListSentence>{changedSentence(changed)}</ListSentence>
      <Page className="pb-0">
        {changed.back !== null && <p>{listedSentence(changed)}</p>}
        <p className="text-mute">{seenOf(changed)}</p>
        <PeriodForm period={changed} />
      </Page>
      {changed.upToNow && <Since asOf={changed.asOf} />}
      <Page>
        <Found changed={changed} />
        <Older changed={changed} />
      </Page>
    </PageFrame>
  );
}

/** Scope and period for the other pages of the record. */
function filterOf({ from, to, upToNow, cluster }: Changed): Readonly<Record<string, string>> {
  return { cluster, from, to: upToNow ? '' : to };
}

/** Share of the time in which anybody looked, so that nothing found means something. */
function seenOf({ asOf, recordedSince, observed, from, to }: Changed): string {
  const [since, begin, end] = [parseTime(recordedSince ?? ''), parseTime(from) ?? 0, parseTime(to) ?? 0];
  if (since === null || since >= end) return 'Nothing is recorded of that time.';
  const late =
    since > begin
      ? ` The record begins at ${timeText(recordedSince ?? '', asOf)}: what was before that is not known.`
      : '';
  const looked =
    observed === null
      ? 'No object was known then.'
      : `Objects were being observed for ${formatShare(observed)} of that time.`;
  return `${looked}${late}`;
}

/** The list is of the moment at which it was asked for, and says so when the fleet has moved on. */
function Since({ asOf }: { readonly asOf: string }) {
  const [moved, setMoved] = useState(false);
  useFrames((frame) => {
    if (frame.type === 'summary' || frame.type === 'reset') setMoved(true);
  });
  if (!moved) return null;
  return (
    <StickyLine>
      <span>The fleet has changed since {timeText(asOf, asOf)}, when this list was made.</span>
      <button type="button" className="link screen-only" onClick={() => location.reload()}>
        Look again
      </button>
    </StickyLine>
  );
}

function Found({ changed }: { readonly changed: Changed }) {
  const groups = changeGroups(changed);
  if (groups.length === 0) {
    return (
      <EmptyState title="Nothing changed that was seen: no verdict, no spec, no revision, no controller.">
        <p className="mt-2 text-mute">
          What happened while nobody looked is found only afterwards, and dated between two moments.
        </p>
      </EmptyState>
    );
  }
  return <ChangeTable groups={groups} withCluster={changed.cluster === ''} />;
}

function Older({ changed }: { readonly changed: Changed }) {
  const { asOf, back, crowded, from, cluster } = changed;
  const at = parseTime(back ?? '');
  const begin = parseTime(from);
  if (at === null || begin === null) return null;
  // What is not included ends the period: of a moment that was cut through all of it is asked for again.
  const to = momentText(crowded ? at : at + 1);
  return (
    <p className="mt-3 flex flex-wrap gap-x-4">
      <span>
        {crowded
          ? `More happened at ${timeText(momentText(at), asOf)} than can be listed; the rest of that moment is left out here.`
          : 'There is more before.'}
      </span>
      <a className="link" href={changesPath({ from: momentText(begin), to, ...(cluster === '' ? {} : { cluster }) })}>
        Older
      </a>
    </p>
  );
}

interface NoChangesScreenProps {
  readonly why: Exclude<NotChanged, { type: 'not-there' }>;
  readonly summary: WireFleetSummary;
}

/** Screen where no list of changes can be made: why, and the way on. */
export function NoChangesScreen({ why, summary }: NoChangesScreenProps) {
  return (
    <PageFrame title="What changed" tab="history" summary={summary}>
      <EmptyState whole title={titleOf(why)}>
        <p className="mt-3">
          <Link className="link" href="/changes" prefetch={false}>
            What changed in the last 24 h, on every cluster
          </Link>
        </p>
      </EmptyState>
    </PageFrame>
  );
}

function titleOf(why: NoChangesScreenProps['why']): string {
  switch (why.type) {
    case 'bad-period':
      return why.message;
    case 'unreadable':
      return 'The record cannot be read now, so what changed cannot be said.';
  }
}
