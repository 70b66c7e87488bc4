'use client';

import './exemptions.css';
import { type WireConflictList, conflictsApi } from '#lib/api/conflict.ts';
import { type WireExemptionList, exemptionsApi } from '#lib/api/exemption.ts';
import type { WireFleetSummary } from '#lib/api/fleet.ts';
import { formatCount, countOf } from '#lib/format/number.ts';
import { useLive } from '../shell/live/live.tsx';
import { PageFrame } from '../shell/page-frame.tsx';
import { Tabs } from '../ui/page/page.tsx';
import { tabHref, tabs, type OwnershipFilter, type Tab, apiParams, setParts } from './ownership-filter.ts';
import { useOwnershipFilter, indexedKinds, offered } from './ownership-filters.tsx';
import { exemptionKinds, exemptionSort, exemptionSorts } from '#lib/domain/exemption/exemption.ts';
import { exemptionSortTitle, exemptionTitle, conflictTitle } from '#lib/format/exemption-label.ts';
import { uniqueRows, usePagedList } from '../queries/use-paged-list.ts';
import { ExemptionTable } from './exemption-table.tsx';
import { exemptionsSentence, conflictsSentence } from './exemptions-sentence.ts';
import { ListFrame } from './list-frame.tsx';
import { conflictKinds } from '#lib/domain/observation/conflict.ts';
import { StickyLine } from '../ui/sticky-line.tsx';
import { conflictId, ConflictTable } from './conflict-table.tsx';

/** The list that the server sent with the page. */
export type SentOwnership =
  | { readonly tab: 'exemptions'; readonly filter: OwnershipFilter; readonly list: WireExemptionList }
  | { readonly tab: 'conflicts'; readonly filter: OwnershipFilter; readonly list: WireConflictList };

type SentTab<Name extends Tab> = { readonly sent: Extract<SentOwnership, { readonly tab: Name }> };

interface ExemptionsScreenProps {
  readonly sent: SentOwnership;
  readonly summary: WireFleetSummary;
}

const titles: Readonly<Record<Tab, string>> = { exemptions: 'Exemptions', conflicts: 'Conflicts' };

/** Exemptions that weaken the guarantee, fleet-wide, and what has more than one manager. */
export function ExemptionsScreen({ sent, summary }: ExemptionsScreenProps) {
  return (
    <PageFrame title={titles[sent.tab]} tab="exemptions" summary={{ ...summary, asOf: sent.list.asOf }}>
      <OwnershipTabs tab={sent.tab} />
      {sent.tab === 'exemptions' ? <ExemptionsTab sent={sent} /> : <ConflictsTab sent={sent} />}
    </PageFrame>
  );
}

function OwnershipTabs({ tab }: { readonly tab: Tab }) {
  const [filter] = useOwnershipFilter();
  const { summary } = useLive();
  const titleOf = (name: Tab) => (
    <>
      {titles[name]} <span className="text-mute">{summary !== null && formatCount(summary[name])}</span>
    </>
  );
  return (
    <Tabs
      label="Lists"
      tabs={tabs.map((name) => ({ href: tabHref(name, filter), title: titleOf(name), here: name === tab }))}
    />
  );
}

/** Everything that weakens the guarantee, by kind: on which object, by which field, who set it. */
function ExemptionsTab({ sent }: SentTab<'exemptions'>) {
  const [filter, change] = useOwnershipFilter();
  const list = usePagedList({
    endpoint: exemptionsApi,
    params: apiParams('exemptions', filter),
    sent: { params: apiParams('exemptions', sent.filter), list: sent.list },
  });
  const { first } = list;
  const rows = uniqueRows(
    list.pages.flatMap((page) => page.rows),
    ({ exemption, links }) => `${exemption.kind} ${links.self} ${exemption.field}`,
  );
  const kinds = indexedKinds(exemptionKinds, exemptionTitle, first.counts, filter.exemption);
  return (
    <ListFrame
      filter={filter}
      change={change}
      list={list}
      kinds={kinds}
      tab="exemptions"
      shown={rows.length}
      sentence={exemptionsSentence(first, setParts('exemptions', filter))}
      offer={{
        cluster: offered(rows.map(({ object }) => object.cluster)),
        kind: offered(rows.map(({ object }) => object.kind)),
        namespace: offered(rows.map(({ object }) => object.namespace)),
        by: offered(rows.map(({ exemption }) => exemption.by)),
      }}
      groups={exemptionSorts.map((sort) => ({
        title: exemptionSortTitle[sort],
        kinds: kinds.filter(({ id }) => exemptionSort(id) === sort),
      }))}
      nothing="What would stand here: suspended objects, prune: false, drift detection switched off, floating references, and everything else that lets git and infrastructure differ without a word."
    >
      <ExemptionTable rows={rows} countOfKind={(kind) => kinds.find(({ id }) => id === kind)?.count ?? 0} />
    </ListFrame>
  );
}

/** Every resource with more than one manager, with both. */
function ConflictsTab({ sent }: SentTab<'conflicts'>) {
  const [filter, change] = useOwnershipFilter();
  const list = usePagedList({
    endpoint: conflictsApi,
    params: apiParams('conflicts', filter),
    sent: { params: apiParams('conflicts', sent.filter), list: sent.list },
  });
  const { first } = list;
  const all = list.pages.flatMap((page) => page.rows);
  const rows = uniqueRows(all, conflictId);
  const kinds = indexedKinds(conflictKinds, conflictTitle, first.counts, filter.conflict);
  return (
    <ListFrame
      filter={filter}
      change={change}
      list={list}
      kinds={kinds}
      tab="conflicts"
      shown={rows.length}
      sentence={conflictsSentence(first, setParts('conflicts', filter))}
      offer={{
        cluster: offered(rows.map(({ cluster }) => cluster)),
        kind: offered(rows.map(({ resource }) => resource.kind)),
        namespace: offered(rows.map(({ resource }) => resource.namespace)),
        by: offered(rows.flatMap(({ owners }) => owners.map(({ name }) => name))),
      }}
      groups={[{ title: null, kinds }]}
      nothing="Looked at are the inventories of Kustomizations, HelmReleases and Applications, the field managers of watched objects, corrections that come again and again, and the external names of managed resources."
      note={
        first.notListed > 0 && (
          <StickyLine>
            {countOf(first.notListed, 'more conflict')} {first.notListed === 1 ? 'is' : 'are'} known of and not listed:
            of one cluster only the first are.
          </StickyLine>
        )
      }
    >
      <ConflictTable rows={rows} countOfKind={(kind) => kinds.find(({ id }) => id === kind)?.count ?? 0} />
    </ListFrame>
  );
}
