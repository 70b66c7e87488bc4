'use client';

import { conflictsApi, type WireConflictList } from '#lib/api/conflict.ts';
import { wordsOf } from '#lib/api/params.ts';
import { conflictKinds } from '#lib/domain/observation/conflict.ts';
import { conflictTitle } from '#lib/format/exemption-label.ts';
import { countOf } from '#lib/format/number.ts';
import { ListNotices, MoreLine, ListSentence } from '../ui/list/list-page.tsx';
import { usePagedList } from '../queries/use-paged-list.ts';
import { StickyLine } from '../ui/sticky-line.tsx';
import { conflictId, ConflictTable } from './conflict-table.tsx';
import { conflictsSentence } from './exemptions-sentence.ts';
import { KindIndex, ListFrame } from './list-frame.tsx';
import { OwnershipFilters, offered, useOwnershipFilter } from './ownership-filters.tsx';
import { apiParams, setParts, type OwnershipFilter } from './ownership-filter.ts';

interface ConflictsTabProps {
  readonly sent: { readonly filter: OwnershipFilter; readonly list: WireConflictList };
}

/** Every resource with more than one manager, with both. */
export function ConflictsTab({ sent }: ConflictsTabProps) {
  const [filter, change] = useOwnershipFilter();
  const list = usePagedList({
    endpoint: conflictsApi,
    params: apiParams('conflicts', filter),
    sent: { params: apiParams('conflicts', sent.filter), list: sent.list },
  });
  const first = list.pages[0] ?? sent.list;
  const all = list.pages.flatMap((page) => page.rows);
  const rows = [...new Map(all.toReversed().map((row) => [conflictId(row), row])).values()].toReversed();
  const counts = new Map(first.counts.map(({ kind, count }) => [kind, count]));
  const shown = wordsOf(filter.conflict);
  const kinds = conflictKinds
    .filter((kind) => (counts.get(kind) ?? 0) > 0 || shown.includes(kind))
    .map((kind) => ({ id: kind, title: conflictTitle[kind], count: counts.get(kind) ?? 0 }));
  return (
    <>
      <ListSentence>{conflictsSentence(first, setParts('conflicts', filter))}</ListSentence>
      <OwnershipFilters
        filter={filter}
        change={change}
        offer={{
          cluster: offered(rows.map(({ cluster }) => cluster)),
          kind: offered(rows.map(({ resource }) => resource.kind)),
          namespace: offered(rows.map(({ resource }) => resource.namespace)),
          by: offered(rows.flatMap(({ owners }) => owners.map(({ name }) => name))),
        }}
        byLabel="Managed by"
        kinds={kinds}
        kindOf="conflict"
      />
      <ListNotices list={list} partial={first.partial} />
      {first.notListed > 0 && (
        <StickyLine>
          {countOf(first.notListed, 'more conflict')} {first.notListed === 1 ? 'is' : 'are'} known of and not listed: of
          one cluster only the first are.
        </StickyLine>
      )}
      <ListFrame
        tab="conflicts"
        filter={filter}
        change={change}
        waiting={list.waiting}
        empty={rows.length === 0}
        nothing="Looked at are the inventories of Kustomizations, HelmReleases and Applications, the field managers of watched objects, corrections that come again and again, and the external names of managed resources."
        index={
          <KindIndex
            label="Kinds of conflicts"
            groups={[{ title: null, kinds }]}
            shown={shown}
            onChange={(next) => change({ conflict: next.join(',') })}
          />
        }
      >
        <ConflictTable rows={rows} countOfKind={(kind) => counts.get(kind) ?? 0} />
        <MoreLine shown={rows.length} total={first.total} noun="conflict" list={list} />
      </ListFrame>
    </>
  );
}
