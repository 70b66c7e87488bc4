'use client';

import type { WireClusterPage } from '#lib/api/cluster.ts';
import { formatCount } from '#lib/format/number.ts';
import { verdictLabel } from '#lib/format/verdict-label.ts';
import { Section } from '../ui/page/page.tsx';
import { VerdictGlyph } from '../ui/verdict-glyph.tsx';
import { graphColumns, graphOf, type Graph, type GraphColumn, type GraphEdge, type GraphNode } from './graph.ts';
import { PageLink as Link } from '../ui/page-link.tsx';

const titles: Readonly<Record<GraphColumn, string>> = {
  source: 'Sources',
  applier: 'Appliers',
  resource: 'Resources',
};

/** Graph of what depends on what: source, applier, resource. In order is folded; the path of a fault is drawn strong. */
export function GraphView({ page }: { readonly page: WireClusterPage }) {
  const graph = graphOf(page);
  if (page.objects.length === 0) return null;
  return (
    <Section
      id="graph"
      title="What depends on what"
      note="what is in order is folded; a strong line is the way of a fault"
    >
      <div className="graph">
        {graphColumns.map((column) => (
          <Column key={column} column={column} graph={graph} />
        ))}
      </div>
      <EdgeText edges={graph.edges} />
    </Section>
  );
}

function Column({ column, graph }: { readonly column: GraphColumn; readonly graph: Graph }) {
  const nodes = graph.nodes.filter((node) => node.column === column);
  const fold = graph.folds.find((each) => each.column === column);
  return (
    <>
      {column !== 'source' && <GraphLines graph={graph} into={column} />}
      <div className={`graph-column graph-${column}`}>
        <h3>{titles[column]}</h3>
        <ul>
          {nodes.map(({ key, object }) => (
            <li
              key={key}
              className={`graph-node ${leadOf(graph, key, column)}`}
              style={{ '--fault': `var(--${object.verdict})` }}
            >
              <VerdictGlyph verdict={object.verdict} alone />
              <Link href={object.links.self} prefetch={false} className="link">
                {object.name}
              </Link>
              <span className="text-mute">{object.kind}</span>
            </li>
          ))}
          {fold !== undefined &&
            fold.counts.map(([verdict, count]) => (
              <li key={verdict} className="graph-node folded">
                <VerdictGlyph verdict={verdict} />
                <span>
                  {nodes.length > 0 ? `${formatCount(count)} more ` : `${formatCount(count)} `}
                  {verdictLabel(verdict).toLowerCase()}
                </span>
              </li>
            ))}
          {nodes.length === 0 && fold === undefined && <li className="graph-node folded">none</li>}
        </ul>
      </div>
    </>
  );
}

/** Tells if a line to the next column begins at a node, and if it is the way of a fault. */
function leadOf(graph: Graph, key: string, column: GraphColumn): string {
  const next = graphColumns[graphColumns.indexOf(column) + 1];
  const out = graph.edges.filter(({ from, to }) => from.key === key && to.column === next);
  if (out.some(({ fault }) => fault)) return 'leads leads-fault';
  return out.length > 0 ? 'leads' : '';
}

const relationLabel: Readonly<Record<GraphEdge['relation'], string>> = {
  source: 'applies from',
  delivery: 'is delivered by',
  dependency: 'depends on',
  composition: 'is composed by',
  provider: 'uses',
};

/** The lines in words: for those who do not see them, and on a phone, where none are drawn. */
function EdgeText({ edges }: { readonly edges: readonly GraphEdge[] }) {
  if (edges.length === 0) return null;
  return (
    <ul
      className="sr-only text-mute wrap-anywhere max-[861px]:not-sr-only max-[861px]:mt-2.5"
      aria-label="What depends on what, in words"
    >
      {edges.map(({ from, to, relation, fault }) => (
        <li key={`${from.key} ${to.key} ${relation}`}>
          {to.object.name} ({to.object.verdict}) {relationLabel[relation]} {from.object.name} ({from.object.verdict})
          {fault && ': the way of the fault'}
        </li>
      ))}
    </ul>
  );
}

interface GraphLinesProps {
  readonly graph: Graph;
  /** The column at the right of the gap. */
  readonly into: Exclude<GraphColumn, 'source'>;
}

const row = 29;
const head = 24;
const width = 96;

/** The lines in the gap before a column: from the column at its left, and in a bow between two of its own. */
function GraphLines({ graph, into }: GraphLinesProps) {
  const left: GraphColumn = into === 'applier' ? 'source' : 'applier';
  const rows = Math.max(
    ...(['source', 'applier', 'resource'] as const).map((column) => ofColumn(graph, column).length),
    0,
  );
  const height = head + (rows + 1) * row;
  const top = (node: GraphNode): number => head + ofColumn(graph, node.column).indexOf(node) * row + row / 2;
  const lines = graph.edges.flatMap((edge) => {
    const path = pathOf(edge, left, into, top);
    return path === null ? [] : [{ edge, path }];
  });
  // Strong lines are painted last, over the faint ones.
  const ordered = lines.toSorted((a, b) => Number(a.edge.fault) - Number(b.edge.fault));
  return (
    <svg
      className="graph-lines overflow-visible"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
    >
      {ordered.map(({ edge, path }) => (
        <path
          key={`${edge.from.key} ${edge.to.key} ${edge.relation}`}
          d={path}
          fill="none"
          stroke={edge.fault ? `var(--${edge.from.object.verdict})` : 'var(--field)'}
          strokeWidth={edge.fault ? 2 : 1}
          strokeOpacity={edge.fault ? 1 : 0.55}
        />
      ))}
    </svg>
  );
}

function ofColumn(graph: Graph, column: GraphColumn): readonly GraphNode[] {
  return graph.nodes.filter((node) => node.column === column);
}

function pathOf(
  { from, to }: GraphEdge,
  left: GraphColumn,
  into: GraphColumn,
  top: (node: GraphNode) => number,
): string | null {
  const [a, b] = [top(from), top(to)];
  if (from.column === left && to.column === into) {
    return `M0 ${a}C${width / 2} ${a} ${width / 2} ${b} ${width - 6} ${b}`;
  }
  if (from.column === into && to.column === into) {
    const bow = Math.min(width - 24, 14 + Math.abs(a - b) / 6);
    return `M${width - 6} ${a}C${width - 6 - bow} ${a} ${width - 6 - bow} ${b} ${width - 6} ${b}`;
  }
  return null;
}
