import { memo, type CSSProperties } from 'react';
import { columnsOf, groupOf, uprightGroups, type HeaderItem } from './items.ts';
import type { ColumnWindow } from './line-view.tsx';
import { HeadState } from './head-state.tsx';
import { middleEllipsis, sharedPrefix, standsAbove } from './titles.ts';
import { roles } from './roles.ts';

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
              {...roles.groupHead}
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
      <tr {...roles.row} aria-rowindex={2} data-k="heads">
        <th className="m-corner" {...roles.columnHead} aria-colindex={1}>
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
        {columns.heads.map((item, at) => (
          <th
            key={item.key}
            {...roles.columnHead}
            aria-colindex={item.column}
            aria-colspan={item.type === 'fold' ? item.indices.length : undefined}
            className={item.first ? 'm-head m-first' : 'm-head'}
            style={placeOf(columns, at)}
          >
            {item.first && upright.has(groupOf(item)) && (
              <b className="m-upright" aria-hidden="true" title={groupOf(item)}>
                {middleEllipsis(groupOf(item), longest)}
              </b>
            )}
            {item.type === 'head' ? (
              <a
                href={item.head.href}
                data-h={item.key}
                data-roving=""
                tabIndex={stop === item.key ? 0 : -1}
                title={item.head.title}
                aria-label={item.head.title}
              >
                {middleEllipsis(item.head.title.slice(prefixes.get(item.head.group)?.length ?? 0), longest)}
              </a>
            ) : (
              <button
                type="button"
                data-h={item.key}
                data-roving=""
                tabIndex={stop === item.key ? 0 : -1}
                onClick={() => onUnfold(item.group)}
                aria-label={`Show ${item.indices.length} columns of ${item.group} that are in order`}
              >
                +{item.indices.length}
              </button>
            )}
            {transposed && item.type === 'head' && item.head.row !== null && (
              <>
                <HeadState row={item.head.row} />
                {labels.length > 0 && <span className="m-label">{item.head.row.labels.join(', ')}</span>}
              </>
            )}
          </th>
        ))}
      </tr>
    </thead>
  );
});

/** What the names of a group's columns begin with, where it stands whole beside the name of the group; '' else. */
function prefixAbove(group: string, items: readonly HeaderItem[]): string {
  const prefix = sharedPrefix(items.flatMap((item) => (item.type === 'head' ? item.head.title : [])));
  return standsAbove(`${group} ${prefix}…`, items.length) ? prefix : '';
}

function placeOf(columns: ColumnWindow, at: number): CSSProperties | undefined {
  const left = columns.lefts?.[at];
  return left === undefined ? undefined : { position: 'absolute', left: `calc(var(--name) + ${left}px)` };
}
