import { memo } from 'react';
import { columnsOf, groupOf, uprightGroups, type HeaderItem } from './items.ts';
import { type ColumnWindow, roles } from './line-view.tsx';
import { HeaderState } from './header-state.tsx';
import { middleEllipsis, sharedPrefix, standsAbove } from './titles.ts';

interface GridHeadersProps {
  /** All columns, for the groups above them. */
  readonly all: readonly HeaderItem[];
  readonly columns: ColumnWindow;
  readonly transposed: boolean;
  /** The labels that stand beside each cluster's name. */
  readonly labels: readonly string[];
  readonly stop: string | null;
  readonly onUnfold: (group: string) => void;
}

const longest = 24;

/** The names of the columns, upright, under the names of their groups. They stay in sight. */
export const GridHeaders = memo(function GridHeaders({
  all,
  columns,
  transposed,
  labels,
  stop,
  onUnfold,
}: GridHeadersProps) {
  const groups = [...Map.groupBy(all, groupOf)];
  const prefixes = new Map(groups.map(([group, items]) => [group, transposed ? '' : prefixAbove(group, items)]));
  const upright = transposed ? new Set<string>() : uprightGroups(all);
  return (
    <thead className="m-heads" {...roles.group}>
      {groups.some(([group]) => group !== '') && (
        <tr {...roles.row} aria-rowindex={1}>
          <td className="m-corner" aria-hidden="true" />
          {groups.map(([group, items]) => (
            <th
              key={group}
              {...roles.groupHeader}
              aria-colindex={items[0]?.column}
              aria-colspan={items.reduce((sum, item) => sum + columnsOf(item), 0)}
              className="m-group-name m-group-names m-first"
              style={{ width: `calc(${items.length} * var(--cell))` }}
              title={group}
            >
              {upright.has(group) ? <span className="sr-only">{group}</span> : group}
              {prefixes.get(group) !== '' && <span>{prefixes.get(group)}…</span>}
            </th>
          ))}
        </tr>
      )}
      <tr {...roles.row} aria-rowindex={2} data-k="headers">
        <th className="m-corner" {...roles.columnHeader} aria-colindex={1}>
          <span className="sr-only">{transposed ? 'Column' : 'Cluster'}</span>
          {!transposed && labels.length > 0 && (
            <span className="m-label-names">
              {labels.map((label) => (
                <span key={label} className="m-label" title={label}>
                  {label}
                </span>
              ))}
            </span>
          )}
        </th>
        {columns.headers.map((item, at) => (
          <HeaderCell
            key={item.key}
            item={item}
            left={columns.lefts?.[at]}
            group={upright.has(groupOf(item)) ? groupOf(item) : null}
            prefix={prefixes.get(groupOf(item)) ?? ''}
            labels={transposed ? labels : null}
            stop={stop === item.key}
            onUnfold={onUnfold}
          />
        ))}
      </tr>
    </thead>
  );
});

interface HeaderCellProps {
  readonly item: HeaderItem;
  /** px from the first column, where columns are virtual. */
  readonly left: number | undefined;
  /** The group's name where it stands upright beside its first column. */
  readonly group: string | null;
  /** Text above the group's names, which is left out of this one. */
  readonly prefix: string;
  /** The labels of the clusters where clusters are the columns. */
  readonly labels: readonly string[] | null;
  readonly stop: boolean;
  readonly onUnfold: (group: string) => void;
}

/** One column's name, or the fold of those that are in order. */
function HeaderCell({ item, left, group, prefix, labels, stop, onUnfold }: HeaderCellProps) {
  const roving = { 'data-h': item.key, 'data-roving': '', tabIndex: stop ? 0 : -1 };
  return (
    <th
      {...roles.columnHeader}
      aria-colindex={item.column}
      aria-colspan={item.type === 'fold' ? item.indices.length : undefined}
      className={item.first ? 'm-head m-first' : 'm-head'}
      style={left === undefined ? undefined : { position: 'absolute', left: `calc(var(--name) + ${left}px)` }}
    >
      {item.first && group !== null && (
        <b className="m-upright" aria-hidden="true" title={group}>
          {middleEllipsis(group, longest)}
        </b>
      )}
      {item.type === 'header' ? (
        <a {...roving} href={item.header.href} title={item.header.title} aria-label={item.header.title}>
          {middleEllipsis(item.header.title.slice(prefix.length), longest)}
        </a>
      ) : (
        <button
          {...roving}
          type="button"
          onClick={() => onUnfold(item.group)}
          aria-label={`Show ${item.indices.length} columns of ${item.group} that are in order`}
        >
          +{item.indices.length}
        </button>
      )}
      {labels !== null && item.type === 'header' && item.header.row !== null && (
        <>
          <HeaderState row={item.header.row} />
          {labels.length > 0 && <span className="m-label">{item.header.row.labels.join(', ')}</span>}
        </>
      )}
    </th>
  );
}

/** Beginning of the names of a group's columns, where it stands whole beside the name of the group; '' else. */
function prefixAbove(group: string, items: readonly HeaderItem[]): string {
  const prefix = sharedPrefix(items.flatMap((item) => (item.type === 'header' ? item.header.title : [])));
  return standsAbove(`${group} ${prefix}…`, items.length) ? prefix : '';
}
