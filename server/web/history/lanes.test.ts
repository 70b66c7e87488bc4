import { describe, expect, it } from 'vitest';
import type { Span } from '#lib/domain/record/span.ts';
import { goodCommit, sampleRef } from '../testing/sample.ts';
import { kindName, objectLane, sharedLane } from './lanes.ts';
import { objectStretches, type ObjectRecord } from './object-stretches.ts';

const iso = (at: number): string => new Date(at).toISOString();
const period = { from: 0, to: 100 };
const frame = { period, width: 100, rows: 10 };
const checkout = sampleRef({ name: 'checkout' });

/** A span of checkout that is diverged for a reason, where nothing else is said. */
function span(from: number, to: number | null, part: Partial<Span> = {}): Span {
  return {
    ref: checkout,
    uid: 'u',
    verdict: 'diverged',
    from,
    to,
    onset: { time: from, bound: 'exact' },
    reason: 'BuildFailed',
    message: null,
    commit: goodCommit,
    attempted: null,
    rootCause: null,
    ...part,
  };
}

function laneOf(part: Partial<ObjectRecord>, ref = checkout) {
  const stretches = objectStretches({ spans: [], gaps: [], since: 0, present: null, ...part }, period);
  return { ref, stretches };
}

describe('the lane of one object', () => {
  it('is named, counted and drawn with the reason of each state', () => {
    const times = { from: iso(0), to: iso(100), state: 'diverged', objects: 1, of: 1 };
    const why = { reason: 'BuildFailed', commit: goodCommit, onset: null };
    expect(objectLane(laneOf({ spans: [span(0, null)] }), frame)).toEqual({
      key: 'kustomize.toolkit.fluxcd.io/Kustomization/flux-system/checkout',
      title: 'checkout',
      note: 'Kustomization in flux-system',
      objects: 1,
      href: '/clusters/eu-west-3/kustomize.toolkit.fluxcd.io/Kustomization/flux-system/checkout',
      history: null,
      marks: [{ ...times, ...why, changes: 0, at: iso(0), shares: [{ state: 'diverged', share: 1 }] }],
      rows: [{ ...times, ...why, steady: true }],
      rowsTotal: 1,
      existed: 100,
      observed: 100,
      converged: 0,
    });
  });

  it('has the kind alone for a note where it is in no namespace', () => {
    const { note, key } = objectLane(laneOf({}, sampleRef({ name: 'x', namespace: '' })), frame);
    expect([note, key]).toEqual(['Kustomization', 'kustomize.toolkit.fluxcd.io/Kustomization//x']);
  });

  it.each<[what: string, part: Partial<Span>, onset: object | null]>([
    ['the beginning of the span', {}, null],
    ['earlier', { onset: { time: 9, bound: 'exact' } }, { time: iso(9), bound: 'exact' }],
    ['then at least', { onset: { time: 10, bound: 'at-least' } }, { time: iso(10), bound: 'at-least' }],
  ])('says when a state began on the cluster where that is not %s', (_what, part, onset) => {
    expect(objectLane(laneOf({ spans: [span(10, null, part)] }), frame).rows[1]?.onset).toEqual(onset);
  });

  it('has no reason where none was told, and the one of a gap where nobody looked', () => {
    const gap = { from: 50, to: null, state: 'unreachable', reason: 'no route' } as const;
    const { rows } = objectLane(laneOf({ since: 5, spans: [span(10, null, { reason: '' })], gaps: [gap] }), frame);
    expect(rows.map(({ state, reason, commit }) => [state, reason, commit])).toEqual([
      ['not-recorded', null, null],
      ['absent', null, null],
      ['diverged', null, goodCommit],
      ['unobserved', 'no route', null],
    ]);
  });

  it('has so many rows at most, the newest, and the number of all', () => {
    const { rows, rowsTotal, ...lane } = objectLane(laneOf({ since: 5, spans: [span(10, null)] }), {
      ...frame,
      rows: 2,
    });
    expect([rows.map(({ state }) => state), rowsTotal]).toEqual([['absent', 'diverged'], 3]);
    expect([lane.existed, lane.observed, lane.converged]).toEqual([90, 90, 0]);
  });
});

describe('the lane of several objects', () => {
  it('has at every moment how many were in each state, and no reason', () => {
    const name = kindName('eu-west-3', 'apps', 'Deployment');
    const first = laneOf({ spans: [span(0, 50), span(50, null, { verdict: 'converged' })] });
    const gap = { from: 80, to: null, state: 'unreachable', reason: 'no route' } as const;
    const second = laneOf({ spans: [span(0, null, { verdict: 'converged' })], gaps: [gap] });
    const lane = sharedLane(name, [first, second], frame);
    const none = { reason: null, commit: null, onset: null };
    expect(lane.rows).toEqual([
      { from: iso(0), to: iso(50), state: 'diverged', objects: 1, of: 2, steady: true, ...none },
      { from: iso(50), to: iso(80), state: 'converged', objects: 2, of: 2, steady: true, ...none },
      { from: iso(80), to: iso(100), state: 'unobserved', objects: 1, of: 2, steady: true, ...none },
    ]);
    expect(lane.marks[0]).toEqual({
      ...{ from: iso(0), to: iso(50), state: 'diverged', objects: 1, of: 2, changes: 0, at: iso(0), ...none },
      shares: [
        { state: 'diverged', share: 0.5 },
        { state: 'converged', share: 0.5 },
      ],
    });
    expect({ ...lane, rows: [], marks: [] }).toEqual({
      key: 'apps/Deployment',
      title: 'Deployment',
      note: '2 objects',
      objects: 2,
      href: '/clusters/eu-west-3',
      history: '/history?cluster=eu-west-3&group=apps&kind=Deployment',
      marks: [],
      rows: [],
      rowsTotal: 3,
      existed: 200,
      observed: 180,
      converged: 130,
    });
  });

  it.each([
    ['apps', 'apps', 'apps/Deployment'],
    ['', '-', '/Deployment'],
  ])('of a kind of the group "%s" leads to the group "%s"', (group, word, key) => {
    expect(kindName('eu-west-3', group, 'Deployment')).toEqual({
      key,
      title: 'Deployment',
      href: '/clusters/eu-west-3',
      filter: { cluster: 'eu-west-3', group: word, kind: 'Deployment' },
    });
  });
});
