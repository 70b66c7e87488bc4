'use client';

import { useState, type ReactNode } from 'react';
import type { WireAlarms, WireClusterCoverage, WireKindCoverage, WireReachCount } from '#lib/api/alarm/alarms.ts';
import { alarmsPath, clusterPath } from '#lib/api/paths.ts';
import { unknownText } from '#lib/domain/alarm/alarm-text.ts';
import type { ReachStep } from '#lib/domain/alarm/finding.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { LinkGlyph } from '../ui/link-glyph.tsx';
import { Section } from '../ui/page/page.tsx';
import { PageLink as Link } from '../ui/page-link.tsx';
import { Ledger, type Column } from '../ui/tables/ledger.tsx';
import { ListedTime } from '../ui/time.tsx';
import type { AlarmsFilter } from './alarms-filter.ts';
import { countedPath, type Counted, type Part } from './alarms-text.ts';

const columns: readonly Column[] = [
  { name: 'name', width: '19%', title: 'Kind, cluster' },
  { name: 'count', width: '72px', title: 'Objects', right: true },
  { name: 'away', width: '104px', title: 'Away' },
  { name: 'exported', width: '13%', title: 'Exported' },
  { name: 'ruled', title: 'Read by a rule' },
  { name: 'routed', title: 'Calls somebody' },
  { name: 'fired', width: '152px', title: 'Proven' },
];

interface KindTableProps {
  readonly answer: WireAlarms;
  readonly filter: AlarmsFilter;
}

/** Every kind with how far its alarms go, and beneath it its clusters, worst first. */
export function KindTable({ answer: { kinds, kindsTotal }, filter }: KindTableProps) {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  if (kinds.length === 0)
    return (
      <Section id="coverage" title="What is covered">
        <p className="text-mute">No object of a reconciler is known.</p>
      </Section>
    );
  const isOpen = (key: string): boolean => toggled.has(key) !== (kinds.length === 1);
  const toggle = (key: string): void => setToggled(new Set([key]).symmetricDifference(toggled));
  const shown = placed(kinds, isOpen);
  return (
    <Section id="coverage" title="What is covered" note={sourceNote(filter)}>
      <Ledger
        name="alarm-kinds"
        caption="Kinds, and beneath each its clusters: how many objects are exported, read by a rule, and would call somebody"
        columns={columns}
        rows={shown.reduce((sum, { kind, open }) => sum + 1 + (open ? kind.clusters.length : 0), 0)}
      >
        {shown.map(({ kind, key, open, at }) => (
          <tbody key={key}>
            <KindRow kind={kind} index={at} open={open} onToggle={() => toggle(key)} filter={filter} />
            {open &&
              kind.clusters.map((row, below) => (
                <ClusterRow key={row.cluster} kind={kind} row={row} index={at + 1 + below} />
              ))}
            {open && kind.clustersTotal > kind.clusters.length && <MoreClusters kind={kind} filter={filter} />}
          </tbody>
        ))}
      </Ledger>
      {kindsTotal > kinds.length && (
        <p className="pt-2 text-mute">
          The worst {formatCount(kinds.length)} of {countOf(kindsTotal, 'kind')}; the file has all.
        </p>
      )}
    </Section>
  );
}

interface Placed {
  readonly kind: WireKindCoverage;
  readonly key: string;
  readonly open: boolean;
  /** Index of its row among all that keys walk. */
  readonly at: number;
}

function placed(kinds: readonly WireKindCoverage[], isOpen: (key: string) => boolean): readonly Placed[] {
  const found: Placed[] = [];
  let at = 0;
  for (const kind of kinds) {
    const key = keyOf(kind);
    const open = isOpen(key);
    found.push({ kind, key, open, at });
    at += 1 + (open ? kind.clusters.length : 0);
  }
  return found;
}

function sourceNote({ source }: AlarmsFilter): string {
  const legend = 'a metric of it, a rule that reads it, a receiver that calls';
  return source === '' ? legend : `${legend}; by any source`;
}

function keyOf({ group, kind }: Pick<WireKindCoverage, 'group' | 'kind'>): string {
  return `${group}/${kind}`;
}

interface KindRowProps {
  readonly kind: WireKindCoverage;
  readonly index: number;
  readonly open: boolean;
  readonly onToggle: () => void;
  readonly filter: AlarmsFilter;
}

function KindRow({ kind, index, open, onToggle, filter }: KindRowProps) {
  const { group, kind: name, clusters, clustersTotal, firedAt } = kind;
  const [only] = clusters;
  const part = { cluster: filter.cluster, group, kind: name };
  return (
    <tr data-index={index} className="kind-row">
      <th scope="row" className="name">
        <button
          type="button"
          className="unfold"
          aria-expanded={open}
          aria-label={`Clusters with ${name}`}
          onClick={onToggle}
          data-row-link
        />
        <b>{name}</b>{' '}
        <span className="text-mute">
          {clustersTotal === 1 && only !== undefined ? (
            <>
              on <ClusterLink cluster={only.cluster} />
            </>
          ) : (
            <>
              on{' '}
              <Link className="link" href={kindPath(kind, filter)} prefetch={false}>
                {countOf(clustersTotal, 'cluster')}
              </Link>
            </>
          )}
        </span>
      </th>
      <Numbers of={kind} part={part} row={clustersTotal === 1 ? only : undefined} />
      <Fired at={firedAt} />
    </tr>
  );
}

function kindPath({ group, kind }: WireKindCoverage, { cluster }: AlarmsFilter): string {
  return alarmsPath({ ...(cluster === '' ? {} : { cluster }), group: group === '' ? '-' : group, kind });
}

function ClusterLink({ cluster }: { readonly cluster: string }) {
  return (
    <Link className="link" href={clusterPath(cluster)} prefetch={false}>
      {cluster}
    </Link>
  );
}

interface ClusterRowProps {
  readonly kind: WireKindCoverage;
  readonly row: WireClusterCoverage;
  readonly index: number;
}

function ClusterRow({ kind: { group, kind }, row, index }: ClusterRowProps) {
  return (
    <tr data-index={index} className="cluster-row">
      <th scope="row" className="name">
        <Link className="quiet-link" href={clusterPath(row.cluster)} prefetch={false} data-row-link>
          {row.cluster}
        </Link>
      </th>
      <Numbers of={row} part={{ cluster: row.cluster, group, kind }} row={row} />
      <Fired at={row.firedAt} />
    </tr>
  );
}

function MoreClusters({ kind, filter }: { readonly kind: WireKindCoverage; readonly filter: AlarmsFilter }) {
  const { clusters, clustersTotal } = kind;
  const all = filter.kind === kind.kind;
  return (
    <tr className="more-row">
      <td colSpan={columns.length}>
        {all ? (
          `The worst ${formatCount(clusters.length)} of ${countOf(clustersTotal, 'cluster')}; the file has all.`
        ) : (
          <Link className="link" href={kindPath(kind, filter)} prefetch={false}>
            All {countOf(clustersTotal, 'cluster')}
          </Link>
        )}
      </td>
    </tr>
  );
}

interface NumbersProps {
  readonly of: Pick<WireKindCoverage, 'objects' | 'away' | 'silent' | ReachStep>;
  readonly part: Part;
  /** The one cluster that they are of: its rules and receivers are named. */
  readonly row: WireClusterCoverage | undefined;
}

function Numbers({ of, part, row }: NumbersProps) {
  const { objects, away, silent } = of;
  const count = (counted: Counted, text: ReactNode, className = 'quiet-link') => (
    <Link className={className} href={countedPath(part, counted)} prefetch={false}>
      {text}
    </Link>
  );
  return (
    <>
      <td className="count right" data-label="objects">
        {count('objects', formatCount(objects))}
      </td>
      <td className="away" data-label="away">
        {away > 0 && count('away', formatCount(away))}
        {silent > 0 && (
          <>
            {away > 0 && ', '}
            {count('silent', `${formatCount(silent)} silent`, 'quiet-link font-semibold text-diverged')}
          </>
        )}
      </td>
      <Reach step="exported" label="exported" count={of.exported} part={part} />
      <Reach step="ruled" label="read by a rule" count={of.ruled} part={part}>
        {row !== undefined && (row.why === null ? namesText('by', row.rules, row.rulesTotal) : unknownText[row.why])}
      </Reach>
      <Reach step="routed" label="calls somebody" count={of.routed} part={part}>
        {row !== undefined && namesText('to', row.receivers, row.receiversTotal)}
      </Reach>
    </>
  );
}

interface ReachProps {
  readonly step: ReachStep;
  readonly label: string;
  readonly count: WireReachCount;
  readonly part: Part;
  /** Names of what reads or receives them. */
  readonly children?: ReactNode;
}

/** Numbers of objects that a chain reaches, does not reach, or of which that is not known; each leads to them. */
function Reach({ step, label, count: { yes, no, unknown }, part, children }: ReachProps) {
  const pieces = [
    [yes, step, formatCount(yes), 'quiet-link'],
    [no, `not-${step}`, `${formatCount(no)} not`, 'quiet-link font-semibold'],
    [unknown, `unknown-${step}`, `${formatCount(unknown)} not known`, 'quiet-link'],
  ] as const;
  const some = pieces.filter(([n]) => n > 0);
  return (
    <td className={`reach-cell ${step}`} data-label={label}>
      <LinkGlyph state={no > 0 ? 'broken' : unknown > 0 ? 'unknown' : 'whole'} />{' '}
      {some.map(([, counted, text, className], at) => (
        <span key={counted}>
          {at > 0 && ', '}
          <Link className={className} href={countedPath(part, counted)} prefetch={false}>
            {text}
          </Link>
          {at === 0 && Boolean(children) && <span className="text-mute"> {children}</span>}
        </span>
      ))}
    </td>
  );
}

function namesText(how: string, names: readonly string[], total: number): string {
  if (total === 0) return '';
  return `${how} ${names.join(', ')}${total > names.length ? ` and ${formatCount(total - names.length)} more` : ''}`;
}

function Fired({ at }: { readonly at: string | null }) {
  return (
    <td className="fired" data-label="last fired">
      {at === null ? <span className="text-mute">not seen to fire</span> : <ListedTime at={at} />}
    </td>
  );
}
