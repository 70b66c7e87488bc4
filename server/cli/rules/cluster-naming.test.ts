import { describe, expect, it } from 'vitest';
import type { AlarmEntry } from '../../config/alarms-schema.ts';
import { namingOf, type MeantSources } from './cluster-naming.ts';

function entry(
  name: string,
  attribution: Partial<AlarmEntry['attribution']>,
  rest: Partial<AlarmEntry> = {},
): AlarmEntry {
  return {
    ...{ name, prometheus: 'http://prometheus:9090', alertmanagers: [], tokenFile: null, ca: null, tenant: null },
    ...{ attribution: { label: 'cluster', aliases: {}, clusters: [], ...attribution }, metrics: ['gotk_'], ...rest },
  };
}

const mimir = entry('mimir', { label: 'k8s_cluster', aliases: { 'prod-eu': 'eu', 'prod-eu-2': 'eu', eu: 'old-eu' } });
const plain = entry('plain', { clusters: ['us'] });
const pager = entry('pager', { label: 'site' }, { prometheus: null });

function told(alarms: readonly AlarmEntry[], meant: MeantSources, cluster: string) {
  const read = namingOf(alarms, meant);
  return read.type === 'refused' ? read.line : [read.naming.label, read.naming.valuesOf(cluster), read.clusters];
}

describe('how rules name clusters', () => {
  it.each<[string, readonly AlarmEntry[], MeantSources, string, unknown]>([
    ['by cluster where no source is configured', [], {}, 'us', ['cluster', ['us'], []]],
    ['as its source does', [mimir], {}, 'us', ['k8s_cluster', ['us'], []]],
    [
      'by every value that stands for one, and not by one that stands for another',
      [mimir],
      {},
      'eu',
      ['k8s_cluster', ['prod-eu', 'prod-eu-2'], []],
    ],
    [
      'as the source that speaks for the one cluster',
      [mimir, entry('us', { label: 'site', clusters: ['us'] })],
      { cluster: 'eu' },
      'eu',
      ['k8s_cluster', ['prod-eu', 'prod-eu-2'], []],
    ],
    [
      'as the one source that is named, with the clusters that it speaks for',
      [mimir, plain],
      { source: 'plain' },
      'us',
      ['cluster', ['us'], ['us']],
    ],
    ['whatever an Alertmanager alone says', [mimir, pager], {}, 'us', ['k8s_cluster', ['us'], []]],
  ])('%s', (_what, alarms, meant, cluster, expected) => {
    expect(told(alarms, meant, cluster)).toEqual(expected);
  });

  it('is not guessed where sources differ, and no source is made up', () => {
    expect(told([mimir, plain], {}, 'us')).toBe(
      'No rules: the alarm sources name clusters by cluster, k8s_cluster: write the rules of one source, with --source.',
    );
    expect(told([mimir, plain], { source: 'thanos' }, 'us')).toBe(
      'No rules: no alarm source thanos is configured. There are: mimir, plain.',
    );
    expect(told([], { source: 'thanos' }, 'us')).toBe('No rules: no alarm source thanos is configured. There is none.');
  });
});
