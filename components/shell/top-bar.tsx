'use client';

import type { EmbedScope } from '#lib/domain/matrix/embed-scope.ts';
import { KeyCap } from './keys/key-help.tsx';
import { PageLink as Link } from '../ui/page-link.tsx';
import { CopyEmbed } from './copy-embed.tsx';
import { useLive } from './live/live.tsx';
import { formatDuration } from '#lib/format/duration.ts';
import { parseTime } from '#lib/format/time.ts';
import { useMovingNow } from '../ui/now.tsx';
import { Time } from '../ui/time.tsx';
import { useMoment } from './moment/moment.tsx';
import { Account } from './viewer/account.tsx';

/** Pages that have a link in the bar. */
export type PageTab = 'fleet' | 'objects' | 'alarms' | 'commits' | 'incidents' | 'history' | 'exemptions' | 'reports';

const tabs = [
  ['fleet', '/', 'Fleet'],
  ['objects', '/objects', 'Objects'],
  ['alarms', '/alarms', 'Alarms'],
  ['commits', '/commits', 'Commits'],
  ['incidents', '/incidents', 'Incidents'],
  ['history', '/history', 'History'],
  ['exemptions', '/exemptions', 'Exemptions'],
  ['reports', '/reports', 'Reports'],
] as const;

interface TopBarProps {
  readonly tab: PageTab | null;
  readonly onSearch: () => void;
  readonly onHelp: () => void;
  /** Asks for another moment; null on a page that shows no other, or shows one already. */
  readonly onTime: (() => void) | null;
  /** Note on what was just done, for a moment in place of the clock; null for nothing. */
  readonly note: string | null;
  /** Scope that other pages may show of this one; null for nothing. */
  readonly embed: EmbedScope | null;
}

/** Where one is, of when the page is, and the two keys worth knowing. */
export function TopBar({ tab, onSearch, onHelp, onTime, note, embed }: TopBarProps) {
  const { summary } = useLive();
  return (
    <header className="screen-only flex min-h-9 flex-none items-center gap-5 border-b border-rule bg-paper px-gutter max-sm:flex-wrap max-sm:gap-x-3 max-sm:gap-y-0 max-sm:pt-1">
      <Link href="/" className="font-semibold">
        Plumbline
      </Link>
      <nav
        aria-label="Pages"
        className="pages flex min-w-0 gap-[18px] overflow-x-auto text-mute max-sm:order-last max-sm:w-full max-sm:justify-between max-sm:gap-3"
      >
        {tabs.map(([name, href, title]) => (
          <Link
            key={name}
            href={href}
            aria-current={name === tab ? 'page' : undefined}
            className={name === tab ? 'py-1 text-ink' : 'py-1 hover:text-ink'}
          >
            {title}
          </Link>
        ))}
      </nav>
      <div className="ml-auto flex flex-none items-center gap-3.5 text-mute max-sm:gap-1.5">
        {summary?.simulated === true && (
          <span className="font-medium whitespace-nowrap text-ink max-sm:hidden">Simulated fleet</span>
        )}
        {note === null ? <FeedClock /> : <output className="text-ink">{note}</output>}
        {embed !== null && <CopyEmbed scope={embed} />}
        {onTime !== null && (
          <button
            type="button"
            onClick={onTime}
            aria-label="Show another time"
            className="inline-flex min-h-6 min-w-6 items-center justify-center"
          >
            <KeyCap>t</KeyCap>
          </button>
        )}
        <button
          type="button"
          onClick={onSearch}
          aria-label="Search"
          className="inline-flex min-h-6 min-w-6 items-center justify-center"
        >
          <KeyCap>/</KeyCap>
        </button>
        <button
          type="button"
          onClick={onHelp}
          aria-label="Keys and signs"
          className="inline-flex min-h-6 min-w-6 items-center justify-center"
        >
          <KeyCap>?</KeyCap>
        </button>
        <Account />
      </div>
    </header>
  );
}

/** "As of 02:59:14 UTC, live": of when the page is, and whether that is now. */
function FeedClock() {
  const { summary, state } = useLive();
  const moment = useMoment();
  const now = useMovingNow();
  const at = state?.serverTime ?? summary?.asOf;
  // The line at the top of a page of the past says of when it is, and nothing on it is live.
  if (at === undefined || moment !== null) return null;
  const age = now - (parseTime(at) ?? now);
  const lastWord = parseTime(state?.lastWordAt ?? summary?.lastWordAt ?? '');
  return (
    <span className="whitespace-nowrap">
      <span className="max-sm:sr-only">As of </span>
      <Time at={at} as="clock" />
      <span className={age > 25_000 ? 'font-medium text-ink' : 'max-sm:sr-only'}>
        , {wordOf(age, lastWord === null ? null : now - lastWord, state?.connection)}
      </span>
    </span>
  );
}

function wordOf(age: number, silence: number | null, connection: string | undefined): string {
  if (age > 25_000) return `${formatDuration(age)} old`;
  if (connection !== 'open') return 'connecting';
  if (silence === null) return 'nothing heard from the clusters yet';
  return silence > 60_000 ? `nothing heard from the clusters for ${formatDuration(silence)}` : 'live';
}
