import type { Graph, GraphColumn, GraphEdge, GraphNode } from './graph.ts';

interface GraphLinesProps {
  readonly graph: Graph;
  /** The column at the right of the gap. */
  readonly into: Exclude<GraphColumn, 'source'>;
}

const row = 29;
const head = 24;
const width = 96;

/** The lines in the gap before a column: from the column at its left, and in a bow between two of its own. */
export function GraphLines({ graph, into }: GraphLinesProps) {
  const left: GraphColumn = into === 'applier' ? 'source' : 'applier';
  const rows = Math.max(
    ...(['source', 'applier', 'resource'] as const).map((column) => ofColumn(graph, column).length),
    0,
  );
  const height = head + (rows + 1) * row;
  const place = (node: GraphNode): number => head + ofColumn(graph, node.column).indexOf(node) * row + row / 2;
  const lines = graph.edges.flatMap((edge) => {
    const path = pathOf(edge, left, into, place);
    return path === null ? [] : [{ edge, path }];
  });
  // Strong lines are painted last, over the faint ones.
  const ordered = lines.toSorted((a, b) => Number(a.edge.fault) - Number(b.edge.fault));
  return (
    <svg className="graph-lines" width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
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
  place: (node: GraphNode) => number,
): string | null {
  const [a, b] = [place(from), place(to)];
  if (from.column === left && to.column === into) {
    return `M0 ${a}C${width / 2} ${a} ${width / 2} ${b} ${width - 6} ${b}`;
  }
  if (from.column === into && to.column === into) {
    const bow = Math.min(width - 24, 14 + Math.abs(a - b) / 6);
    return `M${width - 6} ${a}C${width - 6 - bow} ${a} ${width - 6 - bow} ${b} ${width - 6} ${b}`;
  }
  return null;
}
