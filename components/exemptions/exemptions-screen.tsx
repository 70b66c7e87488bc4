'use client';

import '../list/list.css';
import '../list/object-table.css';
import './exemptions.css';
import Link from 'next/link';
import type { WireConflictList } from '#lib/api/conflict.ts';
import type { WireExemptionList } from '#lib/api/exemption.ts';
import type { WireFleetSummary } from '#lib/api/fleet.ts';
import { formatCount } from '#lib/format/number.ts';
import { useLive } from '../shell/live/live.tsx';
import { PageFrame } from '../shell/page-frame.tsx';
import { ConflictsTab } from './conflicts-tab.tsx';
import { ExemptionsTab } from './exemptions-tab.tsx';
import { tabHref, tabs, type OwnershipFilter, type Tab } from './ownership-filter.ts';
import { useOwnershipFilter } from './use-ownership-filter.ts';

/** The list that the server sent with the page. */
export type SentOwnership =
  | { readonly tab: 'exemptions'; readonly filter: OwnershipFilter; readonly list: WireExemptionList }
  | { readonly tab: 'conflicts'; readonly filter: OwnershipFilter; readonly list: WireConflictList };

interface ExemptionsScreenProps {
  readonly sent: SentOwnership;
  readonly head: WireFleetSummary;
}

const titles: Readonly<Record<Tab, string>> = { exemptions: 'Exemptions', conflicts: 'Conflicts' };

/** What weakens the guarantee, fleet-wide, and what has more than one manager. */
export function ExemptionsScreen({ sent, head }: ExemptionsScreenProps) {
  return (
    <PageFrame
      title={titles[sent.tab]}
      place="exemptions"
      topic={{ topic: 'head' }}
      head={{ ...head, asOf: sent.list.asOf }}
    >
      <Tabs tab={sent.tab} />
      {sent.tab === 'exemptions' ? <ExemptionsTab sent={sent} /> : <ConflictsTab sent={sent} />}
    </PageFrame>
  );
}

function Tabs({ tab }: { readonly tab: Tab }) {
  const [filter] = useOwnershipFilter();
  const { head } = useLive();
  return (
    <nav className="ownership-tabs" aria-label="Lists">
      {tabs.map((name) => (
        <Link
          key={name}
          href={tabHref(name, filter)}
          prefetch={false}
          aria-current={name === tab ? 'page' : undefined}
          className={name === tab ? 'ownership-tab is-here' : 'ownership-tab'}
        >
          {titles[name]} <span className="text-mute">{head !== null && formatCount(head[name])}</span>
        </Link>
      ))}
    </nav>
  );
}
