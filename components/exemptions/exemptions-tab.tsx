'use client';

import { exemptionsApi, type WireExemptionList, type WireExemptionRow } from '#lib/api/exemption.ts';
import { wordsOf } from '#lib/api/params.ts';
import { exemptionKinds, exemptionSort, exemptionSorts } from '#lib/domain/exemption/exemption.ts';
import { exemptionSortTitle, exemptionTitle } from '#lib/format/exemption-label.ts';
import { ListNotices, MoreLine, ListSentence } from '../ui/list/list-page.tsx';
import { usePagedList } from '../queries/use-paged-list.ts';
import { ExemptionTable } from './exemption-table.tsx';
import { exemptionsSentence } from './exemptions-sentence.ts';
import { KindIndex, ListFrame } from './list-frame.tsx';
import { OwnershipFilters, offered, useOwnershipFilter } from './ownership-filters.tsx';
import { apiParams, setParts, type OwnershipFilter } from './ownership-filter.ts';

interface ExemptionsTabProps {
  readonly sent: { readonly filter: OwnershipFilter; readonly list: WireExemptionList };
}

/** Everything that weakens the guarantee, by kind: on which object, by which field, who set it. */
export function ExemptionsTab({ sent }: ExemptionsTabProps) {
  const [filter, change] = useOwnershipFilter();
  const list = usePagedList({
    endpoint: exemptionsApi,
    params: apiParams('exemptions', filter),
    sent: { params: apiParams('exemptions', sent.filter), list: sent.list },
  });
  const first = list.pages[0] ?? sent.list;
  const rows = unique(list.pages.flatMap((page) => page.rows));
  const counts = new Map(first.counts.map(({ kind, count }) => [kind, count]));
  const shown = wordsOf(filter.exemption);
  const kinds = exemptionKinds
    .filter((kind) => (counts.get(kind) ?? 0) > 0 || shown.includes(kind))
    .map((kind) => ({
      id: kind,
      title: exemptionTitle[kind],
      count: counts.get(kind) ?? 0,
      sort: exemptionSort(kind),
    }));
  return (
    <>
      <ListSentence>{exemptionsSentence(first, setParts('exemptions', filter))}</ListSentence>
      <OwnershipFilters
        filter={filter}
        change={change}
        offer={{
          cluster: offered(rows.map(({ object }) => object.cluster)),
          kind: offered(rows.map(({ object }) => object.kind)),
          namespace: offered(rows.map(({ object }) => object.namespace)),
          by: offered(rows.map(({ exemption }) => exemption.by)),
        }}
        byLabel="Set by"
        kinds={kinds}
        kindOf="exemption"
      />
      <ListNotices list={list} partial={first.partial} />
      <ListFrame
        tab="exemptions"
        filter={filter}
        change={change}
        waiting={list.waiting}
        empty={rows.length === 0}
        nothing="What would stand here: suspended objects, prune: false, drift detection switched off, floating references, and everything else that lets git and infrastructure differ without a word."
        index={
          <KindIndex
            label="Kinds of exemptions"
            groups={exemptionSorts.map((sort) => ({
              title: exemptionSortTitle[sort],
              kinds: kinds.filter((kind) => kind.sort === sort),
            }))}
            shown={shown}
            onChange={(next) => change({ exemption: next.join(',') })}
          />
        }
      >
        <ExemptionTable rows={rows} countOfKind={(kind) => counts.get(kind) ?? 0} />
        <MoreLine shown={rows.length} total={first.total} noun="exemption" list={list} />
      </ListFrame>
    </>
  );
}

/** Pages that were read at different moments may both hold a row: its first place counts. */
function unique(rows: readonly WireExemptionRow[]): readonly WireExemptionRow[] {
  const byId = new Map<string, WireExemptionRow>();
  for (const row of rows) {
    const id = `${row.exemption.kind} ${row.links.self} ${row.exemption.field}`;
    if (!byId.has(id)) byId.set(id, row);
  }
  return [...byId.values()];
}
