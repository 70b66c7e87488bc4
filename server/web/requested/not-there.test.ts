import { describe, expect, it } from 'vitest';
import { readRecord } from '#server/store/record/record.ts';
import { knownCluster } from '../testing/moment.ts';
import { sampleNow, sampleObject, sampleRef } from '../testing/sample.ts';
import { namesIn, notRecorded, notThere, type RequestedNames } from './not-there.ts';

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
  ])('of %j', (asked, found) => {
    expect(
      missing(asked).map(({ parameter, value, nearest }) => `${parameter} ${value}: ${nearest.join(' ')}`),
    ).toEqual(found);
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
  });
});
