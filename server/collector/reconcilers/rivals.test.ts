import { describe, expect, it } from 'vitest';
import { recordedObjects } from '#test/fixtures/recorded.ts';
import { fieldRivals } from './rivals.ts';

const spec = {
  'f:spec': { 'f:interval': {}, 'f:replicas': {}, 'f:containers': { 'k:{"name":"canary"}': { 'f:image': {} } } },
};

function owned(manager: string, fieldsV1: object, time = '08:00:00', subresource?: string): object {
  return { manager, operation: 'Apply', time: `2026-11-21T${time}Z`, fieldsV1, subresource };
}

function rivals(...managedFields: readonly object[]): readonly string[] {
  return fieldRivals({ metadata: { managedFields } }).map((rival) =>
    rival.type === 'fields'
      ? `${rival.managers.join(' + ')}${rival.byHand ? ' by hand' : ''}: ${rival.fields.join(', ')}`
      : `${rival.type}: ${rival.type === 'uncompared' ? rival.managers.join(' + ') : ''}`,
  );
}

describe('two GitOps managers', () => {
  it.each<readonly [string, readonly object[], readonly string[]]>([
    ['one alone', [owned('kustomize-controller', spec)], []],
    [
      'of one field',
      [owned('kustomize-controller', spec), owned('argocd-controller', { 'f:spec': { 'f:replicas': {} } })],
      ['kustomize-controller + argocd: spec.replicas'],
    ],
    [
      'of different fields',
      [owned('kustomize-controller', spec), owned('helm-controller', { 'f:spec': { 'f:suspend': {} } })],
      [],
    ],
    [
      'the controller of a HelmRelease writes its status and finalizer, no more',
      [
        owned('kustomize-controller', spec),
        owned('helm-controller', { 'f:metadata': { 'f:finalizers': { '.': {} } } }),
        owned('helm-controller', { 'f:status': { 'f:conditions': {} } }, '09:00:00', 'status'),
      ],
      [],
    ],
    [
      'labels count',
      [
        owned('kustomize-controller', { 'f:metadata': { 'f:labels': { 'f:app': {} } } }),
        owned('helm-controller', { 'f:metadata': { 'f:labels': { 'f:app': {}, 'f:heritage': {} } } }),
      ],
      ['kustomize-controller + helm-controller: metadata.labels.app'],
    ],
    [
      'a list counts as one field, and its keys are not told',
      [owned('kustomize-controller', spec), owned('helm-controller', spec)],
      ['kustomize-controller + helm-controller: spec.interval, spec.replicas, spec.containers'],
    ],
    [
      'two composites compose one resource',
      [
        owned('apiextensions.crossplane.io/composed/aaa', spec),
        owned('apiextensions.crossplane.io/composed/bbb', { 'f:spec': { 'f:replicas': {} } }),
      ],
      ['apiextensions.crossplane.io/composed/aaa + apiextensions.crossplane.io/composed/bbb: spec.replicas'],
    ],
    [
      'an atomic field is owned whole',
      [
        owned('kustomize-controller', { 'f:spec': { 'f:values': {} } }),
        owned('helm-controller', { 'f:spec': { 'f:values': { 'f:a': {} } } }),
      ],
      ['kustomize-controller + helm-controller: spec.values'],
    ],
    [
      'annotations count',
      [
        owned('kustomize-controller', { 'f:metadata': { 'f:annotations': { 'f:a': {} } } }),
        owned('argocd-application-controller', { 'f:metadata': { 'f:annotations': { 'f:a': {} } } }),
      ],
      ['kustomize-controller + argocd: metadata.annotations.a'],
    ],
    [
      'of six fields, five are named',
      ['kustomize-controller', 'helm-controller'].map((manager) =>
        owned(manager, { 'f:spec': { 'f:a': {}, 'f:b': {}, 'f:c': {}, 'f:d': {}, 'f:e': {}, 'f:g': {} } }),
      ),
      ['kustomize-controller + helm-controller: spec.a, spec.b, spec.c, spec.d, spec.e'],
    ],
    [
      'a parent that one owns for itself only',
      [
        owned('kustomize-controller', { 'f:spec': { 'f:values': { 'f:a': {} } } }),
        owned('helm-controller', { 'f:spec': { 'f:values': { '.': {} } } }),
      ],
      ['kustomize-controller + helm-controller: spec.values'],
    ],
    [
      'a parent that is named beside its fields is none of them',
      [
        owned('kustomize-controller', { 'f:spec': { 'f:values': { '.': {}, 'f:a': {}, 'f:b': {} } } }),
        owned('helm-controller', { 'f:spec': { 'f:values': { '.': {}, 'f:a': {}, 'f:c': {} } } }),
      ],
      ['kustomize-controller + helm-controller: spec.values.a'],
    ],
    [
      'an entry without a manager',
      [
        owned('kustomize-controller', spec),
        { fieldsV1: spec },
        owned('helm-controller', { 'f:spec': { 'f:interval': {} } }),
      ],
      ['kustomize-controller + helm-controller: spec.interval'],
    ],
  ])('%s', (_case, managedFields, expected) => expect(rivals(...managedFields)).toEqual(expected));
});

describe('more than is compared is said to be so', () => {
  const many = (length: number, prefix: string): object =>
    Object.fromEntries(Array.from({ length }, (_, n) => [`f:${prefix}${n}`, {}]));
  const composed = (n: number): string => `apiextensions.crossplane.io/composed/${String(n).padStart(2, '0')}`;
  const five = [0, 1, 2, 3, 4].map(composed).join(' + ');

  it.each<readonly [string, readonly object[], readonly string[]]>([
    [
      'keys',
      [
        owned('kustomize-controller', { 'f:spec': many(40_000, 'a') }),
        owned('helm-controller', { 'f:spec': many(40_000, 'b') }),
        owned('argocd-controller', { 'f:spec': { 'f:b1': {} } }),
      ],
      ['uncompared: kustomize-controller + helm-controller + argocd'],
    ],
    [
      'managers',
      Array.from({ length: 17 }, (_, n) => owned(composed(n), { 'f:spec': { [`f:${n}`]: {} } })),
      [`uncompared: ${five}`],
    ],
    [
      'no more managers',
      Array.from({ length: 16 }, (_, n) => owned(composed(n), { 'f:spec': { [`f:${n}`]: {} } })),
      [],
    ],
    [
      'hands',
      [
        owned('kustomize-controller', spec),
        ...Array.from({ length: 17 }, (_, n) => owned(`kubectl-${n}`, { 'f:status': {} })),
      ],
      ['uncompared: kustomize-controller + kubectl-0 + kubectl-1 + kubectl-2 + kubectl-3'],
    ],
    [
      'entries of one manager',
      [
        owned('kustomize-controller', { 'f:spec': { 'f:a': {} } }),
        ...Array.from({ length: 17 }, () => owned('helm-controller', { 'f:spec': { 'f:b': {} } })),
      ],
      ['uncompared: kustomize-controller + helm-controller'],
    ],
    [
      'a path of fields too long to be told',
      ['kustomize-controller', 'helm-controller'].map((manager) =>
        owned(manager, { 'f:spec': { [`f:${'x'.repeat(1_100)}`]: { 'f:a': {} } } }),
      ),
      ['uncompared: kustomize-controller + helm-controller'],
    ],
  ])('%s', (_what, managedFields, expected) => expect(rivals(...managedFields)).toEqual(expected));
});

describe('a hand', () => {
  it.each<readonly [string, readonly object[], readonly string[]]>([
    [
      'that edited what git delivers',
      [owned('kustomize-controller', spec), owned('kubectl-edit', { 'f:spec': { 'f:suspend': {} } }, '09:00:00')],
      ['kustomize-controller + kubectl-edit by hand: spec.suspend'],
    ],
    ['that made it all: nobody else manages it', [owned('kubectl-client-side-apply', spec)], []],
    [
      'that annotated it only',
      [
        owned('kustomize-controller', spec),
        owned('kubectl-annotate', { 'f:metadata': { 'f:annotations': { 'f:a': {} } } }),
      ],
      [],
    ],
    [
      'of a controller that is no part of git operations',
      [owned('kustomize-controller', spec), owned('horizontal-pod-autoscaler', { 'f:spec': { 'f:replicas': {} } })],
      [],
    ],
    [
      'of somebody who works with the flux CLI',
      [owned('kustomize-controller', spec), owned('flux', { 'f:spec': { 'f:suspend': {} } })],
      ['kustomize-controller + flux by hand: spec.suspend'],
    ],
  ])('%s', (_case, managedFields, expected) => expect(rivals(...managedFields)).toEqual(expected));

  it.each(['kubectl', 'kubectl-edit', 'flux', 'k9s', 'Mozilla', 'node-fetch'])('goes by the name of %s', (manager) => {
    const edited = owned(manager, { 'f:spec': { '.': {}, 'f:suspend': {} } });
    expect(rivals(owned('kustomize-controller', spec), edited)).toEqual([
      `kustomize-controller + ${manager} by hand: spec.suspend`,
    ]);
  });

  it.each<readonly [readonly (string | undefined)[], string | null]>([
    [['08:00:00', '09:00:00', undefined], '09:00:00'],
    [['09:00:00', '08:00:00', '07:00:00'], '09:00:00'],
    [[undefined, undefined, '08:00:00'], '08:00:00'],
    [[undefined, undefined, undefined], null],
  ])('entries of %j are dated %s', (times, expected) => {
    const [first, second, hand] = times.map((time) => (time === undefined ? {} : { time: `2026-11-21T${time}Z` }));
    const managedFields = [
      { manager: 'kustomize-controller', fieldsV1: spec, ...first },
      { manager: 'kustomize-controller', fieldsV1: { 'f:status': {} }, ...second },
      { manager: 'kubectl-edit', fieldsV1: spec, ...hand },
    ];
    expect(fieldRivals({ metadata: { managedFields } })).toEqual([
      expect.objectContaining({ at: expected === null ? null : Date.parse(`2026-11-21T${expected}Z`) }),
    ]);
  });

  it('is dated by the later of the two', () => {
    const at = '2026-11-21T09:00:00Z';
    expect(
      fieldRivals({
        metadata: {
          managedFields: [owned('kustomize-controller', spec), owned('kubectl-edit', spec, '09:00:00')],
        },
      }),
    ).toMatchObject([{ at: Date.parse(at) }]);
  });
});

it('objects recorded from real controllers, each with one manager, have no rivals', () => {
  for (const { object } of recordedObjects()) expect(fieldRivals(object)).toEqual([]);
});

it.each([[null], [{}], [{ metadata: { managedFields: 'none' } }], [{ metadata: { managedFields: [null, 1, {}] } }]])(
  'managedFields of another shape (%j) tell nothing',
  (object) => expect(fieldRivals(object)).toEqual([]),
);

describe('managedFields that cost more than they tell', () => {
  const managers = ['kustomize-controller', ...Array.from({ length: 15 }, (_, n) => composed(n))];

  function composed(n: number): string {
    return `apiextensions.crossplane.io/composed/${n}`;
  }

  it('of many managers with many entries are looked at within a bound', () => {
    let looked = 0;
    const fields = managers.map((_, own) => {
      const tree = Object.fromEntries(Array.from({ length: 300 }, (__, n) => [`f:${own}-${n}`, {}]));
      return new Proxy(tree, {
        ownKeys: (target) => {
          looked += 300;
          return Reflect.ownKeys(target);
        },
      });
    });
    const entries = managers.flatMap((manager, n) =>
      Array.from({ length: 16 }, () => owned(manager, { 'f:spec': fields[n] })),
    );
    rivals(...entries);
    expect(looked).toBeLessThan(100_000);
  });

  it('that are one in the other thousands deep are not compared whole', () => {
    let deep: object = {};
    for (let n = 0; n < 20_000; n += 1) deep = { 'f:a': deep };
    const both = { 'f:spec': deep };
    expect(rivals(owned('kustomize-controller', both), owned('helm-controller', both))).toEqual([
      'uncompared: kustomize-controller + helm-controller',
    ]);
  });
});
