'use client';

import { useRouter, usePathname, useSearchParams } from 'next/navigation';
import { useEffect, useState, type ReactNode, useSyncExternalStore } from 'react';
import type { Truth, WireFleetSummary } from '#lib/api/fleet.ts';
import type { Moment } from '#lib/api/moment.ts';
import type { EmbedScope } from '#lib/domain/matrix/embed-scope.ts';
import { NowProvider } from '../ui/now.tsx';
import { StickyLine } from '../ui/sticky-line.tsx';
import { useCameFrom } from './came-from.ts';
import { ConnectionBar } from './live/connection-bar.tsx';
import { useFeedAge } from './live/feed-age.ts';
import { KeyHelp } from './keys/key-help.tsx';
import { useKeys } from './keys/keys.ts';
import { LiveProvider, useLive, type Topic } from './live/live.tsx';
import { LiveRegion } from './live/live-region.tsx';
import { MomentContext, useLead, useMoment } from './moment/moment.tsx';
import { PageTitle } from './page-title.tsx';
import { PastLine } from './moment/past-line.tsx';
import { useTheme } from './theme/theme.tsx';
import { TimePanel } from './moment/time-panel.tsx';
import { TopBar, type PageTab } from './top-bar.tsx';
import { topicScope } from './copy-embed.tsx';
import { unreadParams } from '#lib/api/page-params.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { formatTime, parseTime } from '#lib/format/time.ts';

interface PageFrameProps {
  /** The tab's title, without the program's name; null where the content says it itself, because it changes (PageTitle). */
  readonly title: string | null;
  readonly tab: PageTab | null;
  /** Topic that the page follows, see lib/api/stream.ts; the summary of every page where absent. */
  readonly topic?: Topic;
  /** The summary as the server knows it; null where not even that could be had. */
  readonly summary: WireFleetSummary | null;
  /** `inside`: the content is wider than the window and scrolls both ways under the top bar. */
  readonly scroll?: 'page' | 'inside';
  /** The past moment that it shows, null for now; absent where the page shows no other moment than now. */
  readonly moment?: Moment | null | undefined;
  /** The path that leads to what is shown whenever it is opened; absent where that is the address. */
  readonly permalink?: string | null;
  readonly children: ReactNode;
}

const summaryTopic = { topic: 'summary' };

/** The one shell of every page: bar, connection, what is in trouble, keys, live regions; the page's content is its <main>. */
export function PageFrame({ topic = summaryTopic, summary, children, ...rest }: PageFrameProps) {
  const moment = rest.moment ?? null;
  return (
    <NowProvider asOf={moment?.at ?? summary?.asOf ?? ''} still={moment !== null}>
      <MomentContext value={moment}>
        <LiveProvider topic={moment === null ? topic : null} summary={summary}>
          <LiveRegion>
            <Frame {...rest} cluster={topic?.['cluster'] ?? null} embed={moment === null ? topicScope(topic) : null}>
              {children}
            </Frame>
          </LiveRegion>
        </LiveProvider>
      </MomentContext>
    </NowProvider>
  );
}

type FrameProps = Pick<PageFrameProps, 'title' | 'tab' | 'scroll' | 'moment' | 'permalink' | 'children'> & {
  /** The cluster that the page is about; null for all. */
  readonly cluster: string | null;
  /** Scope of an embed of the page; null where there is none. */
  readonly embed: EmbedScope | null;
};

function Frame({ title, tab, scroll = 'page', moment, permalink = null, cluster, embed, children }: FrameProps) {
  const { theme } = useTheme();
  const [helping, setHelping] = useState(false);
  const [note, setNote] = useState<string | null>(null);
  useEffect(() => {
    if (note === null) return;
    const timer = setTimeout(() => setNote(null), 2000);
    return () => clearTimeout(timer);
  }, [note]);
  const [choosingTime, setChoosingTime] = useState(false);
  const chooseTime = moment === undefined ? null : () => setChoosingTime(true);
  const router = useRouter();
  const lead = useLead();
  useCameFrom();
  const { summary } = useLive();
  const age = useFeedAge();
  const help = () => setHelping(true);
  const search = () => focusSearch(() => router.push(lead('/objects')));
  useKeys({
    '/': search,
    '?': help,
    'g f': () => router.push(lead('/')),
    'g o': () => router.push(lead('/objects')),
    'g a': () => router.push(lead('/alarms')),
    'g c': () => router.push(lead('/commits')),
    'g i': () => router.push(lead('/incidents')),
    'g h': () => router.push('/history'),
    'g e': () => router.push('/exemptions'),
    'g r': () => router.push('/reports'),
    c: () => void copyAddress().then(setNote),
    ...(chooseTime === null ? {} : { t: chooseTime }),
  });
  const inside = scroll === 'inside';
  return (
    <div
      data-theme={theme ?? undefined}
      data-feed={age}
      className={inside ? 'frame-inside flex h-dvh flex-col' : 'flex min-h-dvh flex-col print:block'}
    >
      {title !== null && <PageTitle text={title} truth={truthNow(summary, age)} />}
      <a href="#content" className="skip">
        Skip to content
      </a>
      <div className="sticky top-0 z-30 flex-none bg-paper">
        <TopBar tab={tab} onSearch={search} onHelp={help} onTime={chooseTime} note={note} embed={embed} />
        {moment !== null && moment !== undefined && chooseTime !== null && (
          <PastLine moment={moment} cluster={cluster} onTime={chooseTime} />
        )}
        {choosingTime && <TimePanel value={moment?.at ?? ''} onClose={() => setChoosingTime(false)} />}
        <section aria-label="Notices">
          {summary?.simulated === true && (
            <p className="border-b border-rule px-gutter py-1 font-medium sm:hidden">Simulated fleet</p>
          )}
          <ConnectionBar />
          <UnreadParams />
          {summary !== null && summary.trouble !== null && <StickyLine tone="warn">{summary.trouble}</StickyLine>}
        </section>
      </div>
      <main id="content" tabIndex={-1} className={inside ? 'scroller relative min-h-0 flex-1 overflow-auto' : 'flex-1'}>
        {children}
      </main>
      <PaperFoot permalink={permalink} />
      <KeyHelp open={helping} onOpenChange={setHelping} />
    </div>
  );
}

/** Truth that the plumb line may still show when the server has not been heard. */
export function truthNow(summary: WireFleetSummary | null, age: 'live' | 'old' | 'dead'): Truth {
  return summary === null || age === 'dead' ? 'unknown' : summary.guarantee.truth;
}

/** Puts the link of this page into the clipboard; what came of it, in words. */
async function copyAddress(): Promise<string> {
  try {
    await navigator.clipboard.writeText(location.href);
    return 'Link copied';
  } catch {
    return 'The browser does not allow copying here';
  }
}

function focusSearch(otherwise: () => void): void {
  const field = document.getElementById('search');
  field?.focus();
  // Where the field is not there, or has no room on a small screen, the list has one.
  if (document.activeElement !== field || field === null) otherwise();
}

const shown = 4;

/** Part of the address that the page leaves out: what it shows is not filtered by that. */
export function UnreadParams() {
  const isHydrated = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  // Of names that every object has, such as "__proto__", the server is given another address than the browser: they are told of later.
  const unread = unreadParams(usePathname(), new URLSearchParams(useSearchParams().toString())).filter(
    ({ name }) => isHydrated || !(name in Object.prototype),
  );
  if (unread.length === 0) return null;
  const texts = unread.slice(0, shown).map(({ name, value, message }) => `${name}=${value.slice(0, 60)} ${message}`);
  return (
    <StickyLine tone="warn">
      The address holds what this page cannot read and leaves out: {texts.join('; ')}
      {unread.length > shown && `; and ${unread.length - shown} more`}.
    </StickyLine>
  );
}

function never(): () => void {
  return () => {};
}

/** On paper: which page this is, of when, and how much of the fleet it saw. `permalink`: the path that always leads to the same. */
function PaperFoot({ permalink }: { readonly permalink: string | null }) {
  const { summary, state } = useLive();
  const moment = useMoment();
  const url = useSyncExternalStore(
    never,
    () => (permalink === null ? location.href : location.origin + permalink),
    () => '',
  );
  // Always with its year: paper outlives it.
  const at = parseTime(state?.serverTime ?? summary?.asOf ?? '');
  return (
    <footer className="paper-only mt-6 break-before-avoid border-t border-rule px-gutter py-2 text-small text-mute">
      {url} {at !== null && `${moment === null ? 'as of' : 'as known at'} ${formatTime(at, 0)}`}
      {summary !== null &&
        `; ${formatCount(summary.guarantee.clusters.total - summary.guarantee.clusters.unseen)} of ${countOf(summary.guarantee.clusters.total, 'cluster')} seen`}
      {summary?.simulated === true && '; simulated fleet'}
    </footer>
  );
}
