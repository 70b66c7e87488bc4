'use client';

import { changesPath, correctionsPath, historyPath, absencesPath } from '#lib/api/paths.ts';
import { Tabs } from '../ui/page/page.tsx';
import type { WireFleetSummary } from '#lib/api/fleet.ts';
import { PageFrame } from '../shell/page-frame.tsx';
import type { PageTab } from '../shell/top-bar.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

/** The pages of the record. */
export type RecordTab = 'timelines' | 'absences' | 'changes' | 'corrections';

interface RecordTabsProps {
  readonly tab: RecordTab;
  /** Scope and period, which mean the same to all of them. */
  readonly filter: Readonly<Record<string, string>>;
}

/** The ways to look at the record, through the same scope and period; absences one by one only where one is there already. */
export function RecordTabs({ tab, filter }: RecordTabsProps) {
  const set = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));
  const { cluster, last, from, to } = set;
  const when = Object.fromEntries(
    Object.entries({ cluster, last, from, to }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
  const tabs = [
    ['timelines', historyPath(set), 'Timelines'],
    ['absences', absencesPath(set), 'Absences'],
    ['changes', changesPath(when), 'Changes'],
    ['corrections', correctionsPath(set), 'Corrections'],
  ] as const;
  const shown = tabs.filter(([name]) => name !== 'absences' || tab === 'absences');
  return <Tabs label="The record" tabs={shown.map(([name, href, title]) => ({ href, title, here: name === tab }))} />;
}

interface RecordUnreadProps {
  /** The tab's title: "Absences". */
  readonly title: string;
  readonly tab?: PageTab;
  readonly summary: WireFleetSummary;
}

/** Screen where the record, or what was asked of it, cannot be read. */
export function RecordUnread({ title, tab = 'history', summary }: RecordUnreadProps) {
  return (
    <PageFrame title={title} tab={tab} summary={summary}>
      <EmptyState whole title="The record cannot be read now.">
        <p className="mt-2 text-mute">
          Either the period of this address has not begun yet, or the store does not answer; then the line above says
          why. What is recorded is not lost by that.
        </p>
      </EmptyState>
    </PageFrame>
  );
}
