'use client';

import './exemptions.css';
import type { WireConflictList } from '#lib/api/conflict.ts';
import type { WireExemptionList } from '#lib/api/exemption.ts';
import type { WireFleetSummary } from '#lib/api/fleet.ts';
import { formatCount } from '#lib/format/number.ts';
import { useLive } from '../shell/live/live.tsx';
import { PageFrame } from '../shell/page-frame.tsx';
import { Tabs } from '../ui/page/page.tsx';
import { ConflictsTab } from './conflicts-tab.tsx';
import { ExemptionsTab } from './exemptions-tab.tsx';
import { tabHref, tabs, type OwnershipFilter, type Tab } from './ownership-filter.ts';
import { useOwnershipFilter } from './ownership-filters.tsx';

/** The list that the server sent with the page. */
export type SentOwnership =
  | { readonly tab: 'exemptions'; readonly filter: OwnershipFilter; readonly list: WireExemptionList }
  | { readonly tab: 'conflicts'; readonly filter: OwnershipFilter; readonly list: WireConflictList };

interface ExemptionsScreenProps {
  readonly sent: SentOwnership;
  readonly head: WireFleetSummary;
}

const titles: Readonly<Record<Tab, string>> = { exemptions: 'Exemptions', conflicts: 'Conflicts' };

/** Exemptions that weaken the guarantee, fleet-wide, and what has more than one manager. */
export function ExemptionsScreen({ sent, head }: ExemptionsScreenProps) {
  return (
    <PageFrame
      title={titles[sent.tab]}
      place="exemptions"
      topic={{ topic: 'head' }}
      head={{ ...head, asOf: sent.list.asOf }}
    >
      <OwnershipTabs tab={sent.tab} />
      {sent.tab === 'exemptions' ? <ExemptionsTab sent={sent} /> : <ConflictsTab sent={sent} />}
    </PageFrame>
  );
}

function OwnershipTabs({ tab }: { readonly tab: Tab }) {
  const [filter] = useOwnershipFilter();
  const { head } = useLive();
  const titleOf = (name: Tab) => (
    <>
      {titles[name]} <span className="text-mute">{head !== null && formatCount(head[name])}</span>
    </>
  );
  return (
    <Tabs
      label="Lists"
      tabs={tabs.map((name) => ({ href: tabHref(name, filter), title: titleOf(name), here: name === tab }))}
    />
  );
}
