'use client';

import type { WireClusterPage } from '#lib/api/cluster.ts';
import { formatCount } from '#lib/format/number.ts';
import { verdictLabel } from '#lib/format/verdict-label.ts';
import { SectionHeading } from '../ui/section-heading.tsx';
import { VerdictGlyph } from '../ui/verdict-glyph.tsx';
import { GraphLines } from './graph-lines.tsx';
import { graphColumns, graphOf, type Graph, type GraphColumn, type GraphEdge } from './graph.ts';
import { PageLink as Link } from '../ui/page-link.tsx';

const titles: Readonly<Record<GraphColumn, string>> = {
  source: 'Sources',
  applier: 'Appliers',
  resource: 'Resources',
};

/** Graph of what stands on what: source, applier, resource. In order is folded; the path of a fault is drawn strong. */
export function GraphView({ page }: { readonly page: WireClusterPage }) {
  const graph = graphOf(page);
  if (page.objects.length === 0) return null;
  return (
    <section aria-labelledby="graph">
      <SectionHeading id="graph" note="what is in order is folded; a strong line is the way of a fault">
        What stands on what
      </SectionHeading>
      <div className="graph">
        {graphColumns.map((column) => (
          <Column key={column} column={column} graph={graph} />
        ))}
      </div>
      <EdgeText edges={graph.edges} />
    </section>
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
    <ul className="graph-text" aria-label="What stands on what, in words">
      {edges.map(({ from, to, relation, fault }) => (
        <li key={`${from.key} ${to.key} ${relation}`}>
          {to.object.name} ({to.object.verdict}) {relationLabel[relation]} {from.object.name} ({from.object.verdict})
          {fault && ': the way of the fault'}
        </li>
      ))}
    </ul>
  );
}
