'use client';

import { changesPath, correctionsPath, historyPath, incidentsPath } from '#lib/api/paths.ts';
import { Tabs } from '../ui/page/tabs.tsx';

/** The pages of the record. */
export type RecordTab = 'timelines' | 'incidents' | 'changes' | 'corrections';

interface RecordTabsProps {
  readonly tab: RecordTab;
  /** Scope and period, which mean the same to all of them. */
  readonly filter: Readonly<Record<string, string>>;
}

/** The ways to look at the record, through the same scope and period. */
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
    ['incidents', incidentsPath(set), 'Incidents'],
    ['changes', changesPath(when), 'Changes'],
    ['corrections', correctionsPath(set), 'Corrections'],
  ] as const;
  return <Tabs label="The record" tabs={tabs.map(([name, href, title]) => ({ href, title, here: name === tab }))} />;
}
