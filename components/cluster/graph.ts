import { compareText } from '#lib/domain/observation/compare-text.ts';
import type { WireClusterPage } from '#lib/api/cluster.ts';
import type { WireObject, WireRef } from '#lib/api/object.ts';
import { verdictRank, type Verdict } from '#lib/domain/verdict/verdict.ts';

/** The three columns of the graph. */
export const graphColumns = ['source', 'applier', 'resource'] as const;
export type GraphColumn = (typeof graphColumns)[number];

type Relation = WireClusterPage['edges'][number]['relation'];

/** One object of its own in the graph. */
export interface GraphNode {
  readonly key: string;
  readonly object: WireObject;
  readonly column: GraphColumn;
}

/** Objects of a column that are folded into one line: how many of each verdict, the worst first. */
export interface GraphFold {
  readonly column: GraphColumn;
  readonly counts: readonly (readonly [Verdict, number])[];
}

/** Edge between two nodes of their own. `fault`: the root cause of the lower one lies at or above the upper one. */
export interface GraphEdge {
  readonly from: GraphNode;
  readonly to: GraphNode;
  readonly relation: Relation;
  readonly fault: boolean;
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly folds: readonly GraphFold[];
  readonly edges: readonly GraphEdge[];
}

/** Nodes of their own in each column; what is beyond is folded too. */
const most = 14;

const quiet: ReadonlySet<Verdict> = new Set(['converged', 'unconfirmed']);

/** The key of an object as edges name it: cluster/group/kind/namespace/name. */
function keyOf({ cluster, group, kind, namespace, name }: WireRef): string {
  return `${cluster}/${group}/${kind}/${namespace}/${name}`;
}

function columnOf({ role }: WireObject): GraphColumn {
  return role === 'source' || role === 'applier' ? role : 'resource';
}

type Edges = WireClusterPage['edges'];

/**
 * The graph of one cluster: what deviates and everything on the way from its root cause stands alone, worst first; the
 * branches that are in order are folded, one line a column. Without deviation everything is folded.
 */
export function graphOf({ objects, edges }: Pick<WireClusterPage, 'objects' | 'edges'>): Graph {
  const byKey = new Map(objects.map((object) => [keyOf(object), object]));
  const into = Map.groupBy(edges, (edge) => edge.to);
  const faults = new Set<string>();
  const alone = new Set<string>();
  for (const [key, object] of byKey) {
    // What a controller, a kind or the cluster takes down at once is one cause, told above; it would bury what hangs together here.
    const below = object.rootCause !== null && object.rootCause.type !== 'object';
    if (quiet.has(object.verdict) || below) continue;
    alone.add(key);
    for (const edge of faultPath(key, object, into)) {
      faults.add(edge);
    }
    for (const { from } of into.get(key) ?? []) if (byKey.has(from)) alone.add(from);
  }
  for (const edge of edges) {
    if (!faults.has(edgeKey(edge))) continue;
    for (const end of [edge.from, edge.to]) if (byKey.has(end)) alone.add(end);
  }
  const nodes = graphColumns.flatMap((column) => {
    const here = [...alone].flatMap((key): GraphNode[] => {
      const object = byKey.get(key);
      return object === undefined || columnOf(object) !== column ? [] : [{ key, object, column }];
    });
    return here.toSorted(worstFirst).slice(0, most);
  });
  const shown = new Map(nodes.map((node) => [node.key, node]));
  return {
    nodes,
    folds: graphColumns.flatMap((column) => foldOf(column, byKey, shown) ?? []),
    edges: edges.flatMap((edge): GraphEdge[] => {
      const from = shown.get(edge.from);
      const to = shown.get(edge.to);
      if (from === undefined || to === undefined) return [];
      return [{ from, to, relation: edge.relation, fault: faults.has(edgeKey(edge)) }];
    }),
  };
}

function edgeKey({ from, to, relation }: Edges[number]): string {
  return `${from} ${to} ${relation}`;
}

/** The edges from the root cause of an object down to it; none where its fault is its own or no way is known. */
function faultPath(key: string, object: WireObject, into: ReadonlyMap<string, Edges>): readonly string[] {
  const { rootCause } = object;
  if (rootCause === null || rootCause.type !== 'object') return [];
  const root = keyOf(rootCause);
  const cameBy = new Map<string, Edges[number]>();
  const queue = [key];
  for (const at of queue) {
    if (at === root) return unwind(root, key, cameBy);
    for (const edge of into.get(at) ?? []) {
      if (edge.from === key || cameBy.has(edge.from)) continue;
      cameBy.set(edge.from, edge);
      queue.push(edge.from);
    }
  }
  return [];
}

function unwind(root: string, key: string, cameBy: ReadonlyMap<string, Edges[number]>): readonly string[] {
  const path: string[] = [];
  let at = root;
  while (at !== key) {
    const edge = cameBy.get(at);
    if (edge === undefined) return path;
    path.push(edgeKey(edge));
    at = edge.to;
  }
  return path;
}

function worstFirst(a: GraphNode, b: GraphNode): number {
  return verdictRank(a.object.verdict) - verdictRank(b.object.verdict) || compareText(a.key, b.key);
}

function foldOf(
  column: GraphColumn,
  byKey: ReadonlyMap<string, WireObject>,
  shown: ReadonlyMap<string, GraphNode>,
): GraphFold | null {
  const counts = new Map<Verdict, number>();
  for (const [key, object] of byKey) {
    if (shown.has(key) || columnOf(object) !== column) continue;
    counts.set(object.verdict, (counts.get(object.verdict) ?? 0) + 1);
  }
  if (counts.size === 0) return null;
  return { column, counts: [...counts].toSorted((a, b) => verdictRank(a[0]) - verdictRank(b[0])) };
}
