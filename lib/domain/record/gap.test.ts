import { expect, it } from 'vitest';
import { gapsOf, gapsOfKind, type CoveragePoint } from './gap.ts';

const kind = { group: 'helm.toolkit.fluxcd.io', kind: 'HelmRelease' };
const other = { group: 'source.toolkit.fluxcd.io', kind: 'Bucket' };

function point(at: number, observed: boolean, of: CoveragePoint['kind'] = null, state = 'unreachable'): CoveragePoint {
  return { kind: of, at, observed, state: observed ? 'live' : state, reason: observed ? null : `${state}, in words` };
}

const lost = (from: number, to: number | null, state = 'unreachable') => ({
  from,
  to,
  state,
  reason: `${state}, in words`,
});

it.each<[string, CoveragePoint[], ReturnType<typeof gapsOf>]>([
  ['nothing recorded is no gap', [], []],
  ['seen since the record began', [point(10, true), point(11, true, kind)], []],
  ['the cluster lost and back', [point(0, true), point(10, false), point(30, true)], [lost(10, 30)]],
  ['lost until now', [point(0, true), point(10, false)], [lost(10, null)]],
  [
    'the kind alone',
    [point(0, true), point(5, false, kind, 'forbidden'), point(9, true, kind)],
    [lost(5, 9, 'forbidden')],
  ],
  ['another kind is none of its business', [point(0, true), point(5, false, other, 'failed')], []],
  [
    'a lost cluster explains what the kind does meanwhile',
    [point(0, true), point(10, false), point(12, false, kind, 'failed'), point(30, true), point(31, true, kind)],
    [lost(10, 30), lost(30, 31, 'failed')],
  ],
  [
    'one reason after the other',
    [point(10, false), point(20, false, null, 'unauthorized'), point(30, true)],
    [lost(10, 20), lost(20, 30, 'unauthorized')],
  ],
  ['the same said twice', [point(10, false), point(20, false), point(30, true)], [lost(10, 30)]],
  ['in any order', [point(30, true), point(10, false)], [lost(10, 30)]],
  ['none at all where both fall on one moment', [point(10, false), point(10, true)], []],
])('%s', (_name, points, gaps) => {
  expect(gapsOf(points, kind)).toEqual(gaps);
});

const recorded = (of: CoveragePoint['kind'], from: number, to: number | null, state?: string) => ({
  ...lost(from, to, state),
  kind: of,
});

it.each<[string, Parameters<typeof gapsOfKind>[0], ReturnType<typeof gapsOfKind>]>([
  ['its own and those of the whole cluster', [recorded(null, 0, 5), recorded(kind, 7, 9)], [lost(0, 5), lost(7, 9)]],
  ['none of another kind', [recorded(other, 0, 5)], []],
  ['oldest first', [recorded(kind, 7, 9), recorded(null, 0, 5)], [lost(0, 5), lost(7, 9)]],
  ['what the cluster explains is told once', [recorded(null, 0, 5), recorded(kind, 2, 5, 'failed')], [lost(0, 5)]],
  [
    'what lasts longer than the cluster was lost is told from then on',
    [recorded(null, 0, 5), recorded(kind, 2, 8, 'failed')],
    [lost(0, 5), lost(5, 8, 'failed')],
  ],
  ['nothing after one that lasts', [recorded(null, 3, null), recorded(kind, 5, 8, 'failed')], [lost(3, null)]],
])('gaps that concern a kind: %s', (_name, gaps, found) => {
  expect(gapsOfKind(gaps, kind)).toEqual(found.map((gap) => expect.objectContaining(gap)));
});
