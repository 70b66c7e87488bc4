import type { AlarmsUnknown } from '#lib/domain/alarm/link.ts';
import { toldAlarms } from '../testing/told-alarms.ts';
import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import { describe, expect, it } from 'vitest';
import { wholeFleet } from '#lib/api/scope.ts';
import type { CurrentCluster } from '#lib/domain/record/current.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import { hour } from '#lib/domain/time/length.ts';
import { sampleCluster, sampleDiverged, sampleNow, sampleObject, sampleRef } from '../testing/sample.ts';
import { buildKnown, isBare, narrowed } from './known-cluster.ts';

function known(objects: readonly KnownObject[], record: CurrentCluster | null = sampleCluster('eu-west-3')) {
  const held = new Map(objects.map((object) => [refKey(object.ref), object]));
  const joined = { alarms: toldAlarms(objects), policy: defaultPolicy };
  return buildKnown({ name: 'eu-west-3', record, objects: held, revision: 7, renewal: 3 }, joined, sampleNow, 9);
}

function exempt(...kinds: readonly ('prune-disabled' | 'suspended')[]): Pick<KnownObject, 'exemptions'> {
  const rest = { field: 'spec.prune', meaning: 'weak', by: null, at: sampleNow, reach: null };
  return { exemptions: kinds.map((kind) => ({ kind, ...rest })) };
}

describe('one cluster as known', () => {
  it('is nothing where nothing came of it but its name', () => {
    expect(known([], null)).toMatchObject({
      name: 'eu-west-3',
      labels: {},
      known: {
        state: 'unobserved',
        since: sampleNow,
        bound: 'at-least',
        reason: 'Nothing is known of this cluster yet.',
      },
      objects: [],
      deviating: [],
      exempt: [],
      exemptions: new Map(),
      alarmsReceived: false,
      alarmsUnknown: new Set(),
      notMeasurable: 0,
      plannedWork: null,
      conflicts: 0,
      feeds: [],
      listedConflicts: [],
      reconcilers: new Set(),
      worst: null,
      stamp: 9,
      revision: 7,
      renewal: 3,
      expired: false,
      expiresAt: Infinity,
    });
  });

  it('counts what is exempt, cannot be measured or is away, and who owns it', () => {
    const twice = sampleObject({ name: 'twice' }, exempt('prune-disabled', 'suspended'));
    const once = sampleObject({ name: 'once' }, { ...exempt('prune-disabled'), reconciler: 'helm' });
    const away = sampleDiverged({ name: 'away' });
    const unmeasured = ['a', 'b'].map((name) => sampleObject({ name }, { drift: 'not-measured' }));
    const declared = sampleObject({ name: 'declared' }, { role: 'declared', reconciler: 'none' });
    const found = known([twice, once, away, ...unmeasured, declared]);
    expect(found.exempt).toEqual([twice, once]);
    expect(found.exemptions).toEqual(
      new Map([
        ['prune-disabled', 2],
        ['suspended', 1],
      ]),
    );
    expect(found.deviating).toEqual([away]);
    expect(found.reconcilers).toEqual(new Set(['flux', 'helm']));
    expect([found.worst, found.alarmsReceived, found.notMeasurable]).toEqual(['diverged', true, 2]);
  });

  it.each<[Partial<KnownObject>, boolean]>([
    [{ alarm: { state: 'silent', broken: 'rule' } }, true],
    [{ alarm: { state: 'unknown', why: 'none' } }, false],
    [{ verdict: 'suspended', alarm: { state: 'silent', broken: 'rule' } }, false],
    [{ verdict: 'converged', alarm: { state: 'silent', broken: 'rule' } }, false],
  ])('has a source of alarms where one speaks for what is away: %j', (part, received) => {
    expect(known([sampleDiverged({ name: 'checkout' }, part)]).alarmsReceived).toBe(received);
  });

  it('tells why alarms of what is away are not known, but where work is planned', () => {
    const unknown = (why: AlarmsUnknown): Partial<KnownObject> => ({ alarm: { state: 'unknown', why } });
    const objects = [
      sampleDiverged({ name: 'a' }, unknown('cut')),
      sampleDiverged({ name: 'b' }, unknown('not-read')),
      sampleDiverged({ name: 'c' }),
      sampleObject({ name: 'd' }, { verdict: 'unobserved', ...unknown('not-seen') }),
    ];
    expect(known(objects).alarmsUnknown).toEqual(new Set(['cut', 'not-read']));
  });

  it.each([
    ['unreachable', 0, true],
    ['unreachable', 1, false],
    ['live', 0, false],
    ['connecting', 0, false],
    ['declared', 0, false],
    ['unauthorized', 0, true],
  ] as const)('that is %s with %i objects is bare: %s', (state, count, expected) => {
    const { objects, ...rest } = known(count === 0 ? [] : [sampleObject({ name: 'checkout' })]);
    expect(isBare({ objects, known: { ...rest.known, state } })).toBe(expected);
  });

  it('has, of what a scope keeps, the conflicts that are about it', () => {
    const [web, api] = [sampleObject({ name: 'web' }), sampleObject({ name: 'api' })];
    const { cluster: _, ...resource } = web.ref;
    const conflict = (owners: CurrentCluster['conflicts'][number]['owners'], name: string) => ({
      kind: 'two-inventories' as const,
      resource: { ...resource, name },
      owners,
      why: 'both apply it',
      since: sampleNow - hour,
    });
    const own = conflict([{ ref: null, name: 'kubectl' }], 'web');
    const owned = conflict([{ ref: sampleRef({ name: 'web' }), name: 'web' }], 'shop');
    const strange = conflict([{ ref: sampleRef({ name: 'gone' }), name: 'gone' }], 'gone');
    const narrow = (conflicts: CurrentCluster['conflicts'], name: string) => {
      const cluster = known([web, api], sampleCluster('eu-west-3', { conflicts, conflictsTotal: 40 }));
      const kept = narrowed(cluster, { ...wholeFleet, name }, ({ ref }) => ref.name === name, defaultPolicy, sampleNow);
      return kept && [kept.conflicts, kept.listedConflicts, kept.objects.length];
    };
    expect(narrow([own, owned, strange], 'web')).toEqual([2, [own, owned], 1]);
    expect(narrow([own], 'api')).toEqual([0, [], 1]);
    expect(narrow([], 'api')).toEqual([0, [], 1]);
    expect(narrow([own], 'nothing')).toBeNull();
  });
});
