import { describe, expect, it } from 'vitest';
import type { WireCause, WireChange } from '#lib/api/object.ts';
import type { WireNotedTransition } from '#lib/api/transition.ts';
import { changeGroups, clustersIn } from './change-groups.ts';

const cause: WireCause = {
  type: 'controller',
  title: 'kustomize-controller on stg-edge',
  href: '/clusters/stg-edge',
  cluster: 'stg-edge',
  group: '',
  kind: '',
  namespace: 'flux-system',
  name: 'kustomize-controller',
};

function turned(clock: string, name: string, part: Partial<WireNotedTransition> = {}): WireNotedTransition {
  const at = `2026-11-21T${clock}Z`;
  return {
    ref: {
      cluster: 'stg-edge',
      group: 'kustomize.toolkit.fluxcd.io',
      kind: 'Kustomization',
      namespace: 'flux-system',
      name,
    },
    at,
    bound: 'exact',
    noticedAt: at,
    from: 'converged',
    to: 'stale',
    reason: 'ControllerDead',
    message: '',
    commit: null,
    rootCause: cause,
    ...part,
  };
}

function changed(clock: string, name: string, part: Partial<WireChange> = {}): WireChange {
  const at = `2026-11-21T${clock}Z`;
  const ref = { cluster: 'eu-west-3', group: '', kind: 'Kustomization', namespace: 'apps', name };
  return {
    cluster: 'eu-west-3',
    ref,
    type: 'spec-edited',
    text: 'Spec edited',
    by: 'flux',
    at,
    notBefore: at,
    noticedAt: at,
    revision: null,
    href: `/${name}`,
    ...part,
  };
}

const lines = (transitions: readonly WireNotedTransition[], changes: readonly WireChange[] = []) =>
  changeGroups({ transitions, changes }).map((group) =>
    group.type === 'verdict'
      ? group.transitions.map(({ ref }) => ref.name).join()
      : group.changes.map(({ href }) => href).join(),
  );

describe('what changed', () => {
  it('alike and one soon after another, because of one cause, is one line from the first to the last', () => {
    const clocks = ['02:12:40.000', '02:11:40.000', '02:11:00.000', '02:09:59.999'];
    const transitions = clocks.map((clock, index) => turned(clock, `o${index}`));
    expect(lines(transitions)).toEqual(['o0,o1,o2', 'o3']);
    const [group] = changeGroups({ transitions, changes: [] });
    expect(group).toMatchObject({ at: Date.UTC(2026, 10, 21, 2, 12, 40), since: Date.UTC(2026, 10, 21, 2, 11, 0) });
  });

  it('home again is one line, in whatever words', () => {
    const home = { from: 'stale', to: 'converged', rootCause: null } as const;
    const both = [
      turned('02:12:40.000', 'a', { ...home, reason: 'Available' }),
      turned('02:12:20.000', 'b', { ...home, reason: 'Synced' }),
    ];
    expect(lines(both)).toEqual(['a,b']);
  });

  it.each([
    ['to another verdict', { to: 'converged' }],
    ['from another verdict', { from: 'diverged' }],
    ['because of another cause', { rootCause: { ...cause, title: 'source-controller on stg-edge' } }],
    ['for a reason of its own', { rootCause: null, reason: 'BuildFailed' }],
  ] as const)('%s is another line', (_what, part) => {
    expect(lines([turned('02:12:40.000', 'a'), turned('02:12:30.000', 'b', part)])).toEqual(['a', 'b']);
  });

  it('comes newest first, whatever it is', () => {
    const edits = [changed('02:13:00.000', 'x'), changed('02:10:00.000', 'y')];
    expect(lines([turned('02:12:40.000', 'a')], edits)).toEqual(['/x', 'a', '/y']);
  });

  it('by one hand to many of a kind is one line; by another hand another', () => {
    const edits = [
      changed('02:12:40.000', 'x'),
      changed('02:12:20.000', 'y'),
      changed('02:12:10.000', 'z', { by: 'kubectl-edit' }),
    ];
    expect(lines([], edits)).toEqual(['/x,/y', '/z']);
  });

  it('names each cluster once', () => {
    const [group] = changeGroups({
      transitions: [turned('02:12:40.000', 'a'), turned('02:12:20.000', 'b')],
      changes: [],
    });
    expect(group && clustersIn(group)).toEqual(['stg-edge']);
  });
});
