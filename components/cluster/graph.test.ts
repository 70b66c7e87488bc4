import { describe, expect, it } from 'vitest';
import type { WireClusterPage } from '#lib/api/cluster.ts';
import type { WireObject } from '#lib/api/object.ts';
import { wireObject } from '../testing/wire-object.ts';
import { graphOf } from './graph.ts';

const keyOf = ({ cluster, group, kind, namespace, name }: WireObject) =>
  `${cluster}/${group}/${kind}/${namespace}/${name}`;
const repository = wireObject({
  role: 'source',
  group: 'source.toolkit.fluxcd.io',
  kind: 'GitRepository',
  name: 'control-repo',
});
const apps = wireObject({ name: 'apps' });
const bucket = wireObject({ role: 'managed', group: 's3.aws', kind: 'Bucket', namespace: '', name: 'media' });

type Edge = WireClusterPage['edges'][number];
const edge = (from: WireObject, to: WireObject, relation: Edge['relation']): Edge => ({
  from: keyOf(from),
  to: keyOf(to),
  relation,
});
const causedBy = ({ cluster, group, kind, namespace, name }: WireObject) => ({
  type: 'object' as const,
  title: name,
  href: '/',
  cluster,
  group,
  kind,
  namespace,
  name,
});
const names = (graph: ReturnType<typeof graphOf>) => graph.nodes.map(({ object }) => object.name);

describe('graph', () => {
  it('folds everything where nothing deviates', () => {
    const graph = graphOf({ objects: [repository, apps, bucket], edges: [edge(repository, apps, 'source')] });
    expect(graph.nodes).toEqual([]);
    expect(graph.folds).toEqual([
      { column: 'source', counts: [['converged', 1]] },
      { column: 'applier', counts: [['converged', 1]] },
      { column: 'resource', counts: [['converged', 1]] },
    ]);
  });

  it('shows what deviates and what it depends on, and marks the way from the root cause', () => {
    const failed = wireObject({ ...repository, verdict: 'stale' });
    const behind = wireObject({ name: 'apps', verdict: 'stale', rootCause: causedBy(failed) });
    const other = wireObject({ name: 'other' });
    const graph = graphOf({
      objects: [failed, behind, other],
      edges: [edge(failed, behind, 'source'), edge(failed, other, 'source')],
    });
    expect(names(graph)).toEqual(['control-repo', 'apps']);
    expect(graph.edges.map(({ to, fault }) => [to.object.name, fault])).toEqual([['apps', true]]);
  });

  it('marks every step of a long way, also over what is itself in order', () => {
    const failed = wireObject({ ...repository, verdict: 'diverged' });
    const composed = wireObject({ ...bucket, verdict: 'unhealthy', rootCause: causedBy(failed) });
    const graph = graphOf({
      objects: [failed, apps, composed],
      edges: [edge(failed, apps, 'source'), edge(apps, composed, 'delivery')],
    });
    expect(graph.edges.map(({ fault }) => fault)).toEqual([true, true]);
  });

  it('does not run in circles', () => {
    const one = wireObject({ name: 'one', verdict: 'waiting', rootCause: causedBy(wireObject({ name: 'nowhere' })) });
    const two = wireObject({ name: 'two', verdict: 'waiting' });
    const graph = graphOf({ objects: [one, two], edges: [edge(one, two, 'dependency'), edge(two, one, 'dependency')] });
    expect(graph.edges.map(({ fault }) => fault)).toEqual([false, false]);
  });

  it('folds what one controller has taken down, by its verdict', () => {
    const rootCause = { ...causedBy(apps), type: 'controller' as const };
    const objects = ['a', 'b', 'c'].map((name) => wireObject({ name, verdict: 'stale', rootCause }));
    const graph = graphOf({ objects, edges: [] });
    expect(graph.nodes).toEqual([]);
    expect(graph.folds).toEqual([{ column: 'applier', counts: [['stale', 3]] }]);
  });

  it('shows the 14 worst of a column and folds the rest', () => {
    const objects = Array.from({ length: 20 }, (_, index) =>
      wireObject({ name: `app-${String(index).padStart(2, '0')}`, verdict: index === 19 ? 'diverged' : 'behind' }),
    );
    const graph = graphOf({ objects, edges: [] });
    expect(names(graph)[0]).toBe('app-19');
    expect(graph.nodes).toHaveLength(14);
    expect(graph.folds).toEqual([{ column: 'applier', counts: [['behind', 6]] }]);
  });
});
