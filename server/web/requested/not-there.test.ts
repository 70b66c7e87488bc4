import { describe, expect, it } from 'vitest';
import { readRecord } from '#server/store/record/record.ts';
import { knownCluster } from '../testing/moment.ts';
import { sampleNow, sampleObject, sampleRef } from '../testing/sample.ts';
import { namesFrom, namesIn, notRecorded, notThere, type RequestedNames } from './not-there.ts';

const fleet = [
  knownCluster('eu-west-3', [sampleObject({ name: 'checkout', namespace: 'apps' })]),
  knownCluster('us-east-1', []),
];
const missing = (asked: RequestedNames) => notThere(asked, namesIn(fleet));

describe('what is asked for and not there', () => {
  it.each<[RequestedNames, string[]]>([
    [{}, []],
    [{ cluster: '', kind: '', namespace: '-', group: '-' }, []],
    [{ cluster: 'eu-west-3, us-east-1', kind: 'Kustomization', namespace: 'apps', name: 'checkout' }, []],
    [{ kind: 'HelmRelease' }, []],
    [{ label: 'environment=production' }, []],
    [{ cluster: 'eu-west-3,eu-wst-3' }, ['cluster eu-wst-3: eu-west-3']],
    [{ label: 'environment=prod' }, ['label environment=prod: environment=production']],
    [{ kind: 'Kustomizatoin' }, ['kind Kustomizatoin: Kustomization']],
    [{ namespace: 'app', name: 'chekout' }, ['namespace app: apps', 'name chekout: checkout']],
    [{ reconciler: 'fluks' }, ['reconciler fluks: flux']],
    [{ cluster: 'somewhere-else' }, ['cluster somewhere-else: ']],
    [{ group: 'kustomize.toolkit.fluxcd.io' }, []],
    [{ group: 'kustomise.toolkit.fluxcd.io' }, ['group kustomise.toolkit.fluxcd.io: kustomize.toolkit.fluxcd.io']],
    [{ by: '-' }, []],
    [{ by: 'm.ito' }, ['by m.ito: ']],
  ])('of %j', (asked, found) => {
    expect(
      missing(asked).map(({ parameter, value, nearest }) => `${parameter} ${value}: ${nearest.join(' ')}`),
    ).toEqual(found);
  });

  it('is near to no name that is none: what has no namespace', () => {
    const clusterScoped = [knownCluster('eu', [sampleObject({ name: 'vpc', namespace: '' })])];
    expect(notThere({ namespace: 'app' }, namesIn(clusterScoped))).toMatchObject([{ nearest: [] }]);
  });

  it('goes through what is there a few times, however many names are misspelt', () => {
    const clusters = Array.from({ length: 1_000 }, (_, index) => `cluster-${index}`);
    let times = 0;
    const names = namesFrom(() => {
      times += 1;
      return clusters;
    });
    const asked = [...clusters.slice(0, 500), ...clusters.map((name) => `${name}x`)];
    const found = notThere({ cluster: asked.join(',') }, names);
    expect(found.map(({ value }) => value)).toEqual(clusters.map((name) => `${name}x`));
    expect(found[0]?.nearest).toContain('cluster-0');
    expect(found.filter(({ nearest }) => nearest.length > 0)).toHaveLength(10);
    expect(times).toBeLessThan(20);
  });

  it('is no typing error where the record has it', async () => {
    const gone = sampleRef({ cluster: 'ap-south-1', kind: 'Terraform', namespace: 'infra', name: 'vpc' });
    const record = readRecord({
      coverage: [
        { cluster: 'ap-south-1', kind: null, at: sampleNow - 1000, observed: true, state: 'live', reason: null },
      ],
      transitions: [
        {
          ref: gone,
          uid: 'u',
          at: sampleNow - 900,
          bound: 'exact',
          noticedAt: sampleNow - 900,
          from: null,
          to: 'converged',
          reason: '',
          message: '',
          commit: null,
          attempted: null,
          rootCause: null,
        },
      ],
    });
    const { cluster, kind, namespace, name } = gone;
    const removed = missing({ cluster, kind, namespace, name });
    expect(removed).toHaveLength(4);
    expect(await notRecorded(removed, record, sampleNow)).toEqual([]);
    const never = missing({ cluster: 'ap-south-2', kind: 'Terrafrom', namespace: 'infar', name: 'vcp' });
    expect(await notRecorded(never, record, sampleNow)).toHaveLength(4);
    expect(await notRecorded(missing({ group: gone.group.slice(1) }), record, sampleNow)).toHaveLength(1);
    const names = (['group', 'label', 'reconciler', 'by'] as const).map((parameter) => {
      return { parameter, value: gone.group, nearest: [] };
    });
    expect((await notRecorded(names, record, sampleNow)).map(({ parameter }) => parameter)).toEqual([
      'label',
      'reconciler',
      'by',
    ]);
  });

  it('is no typing error where only the very first moment had it', async () => {
    const ref = sampleRef({ name: 'vpc' });
    const turn = { ref, uid: 'u', bound: 'exact', from: null, reason: '', message: '', commit: null } as const;
    const rest = { attempted: null, rootCause: null };
    const transitions = [
      { ...turn, ...rest, at: 0, noticedAt: 0, to: 'converged' as const },
      { ...turn, ...rest, at: 1, noticedAt: 1, to: null },
    ];
    expect(await notRecorded(missing({ name: 'vpc' }), readRecord({ transitions }), sampleNow)).toEqual([]);
  });

  it.each([
    [49_999, ['checkout']],
    [50_000, []],
  ])('is compared with 50,000 names at most: of one behind %i others %j is near', (others, nearest) => {
    const all = [...Array.from({ length: others }, (_, n) => `${n}`.padStart(20, 'x')), 'checkout'];
    expect(
      notThere(
        { name: 'chekout' },
        namesFrom(() => all),
      ),
    ).toEqual([{ parameter: 'name', value: 'chekout', nearest }]);
  });
});
