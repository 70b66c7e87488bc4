import { describe, expect, it } from 'vitest';
import { notConfigured, type AlarmCoverage } from '../call.ts';
import type { LeftOut } from './left-out.ts';
import { sourceTimes } from './source-times.ts';

const period = { from: 100, to: 200 };

function word(source: string, at: number, read: boolean, clusters: readonly string[] = []): AlarmCoverage {
  return { source, at, read, clusters, reason: read ? null : 'it does not answer' };
}

const forgotten = (source: string, at: number): AlarmCoverage => ({
  ...word(source, at, false),
  reason: notConfigured,
});

describe('sourceTimes', () => {
  it.each<[string, readonly AlarmCoverage[], readonly number[]]>([
    ['no source', [], [100, 200]],
    ['one that is read', [word('a', 0, true)], []],
    ['one that is read from a time on', [word('a', 150, true)], [100, 150]],
    ['one that is not read for a while', [word('a', 0, true), word('a', 120, false), word('a', 130, true)], [120, 130]],
    ['two, one of which is not read', [word('a', 0, true), word('b', 90, false)], [100, 200]],
    ['one of another cluster', [word('a', 0, true, ['us'])], [100, 200]],
    ['one beside one of another cluster', [word('a', 0, true), word('b', 0, false, ['us'])], []],
    ['one that speaks for it for a while', [word('a', 0, true, ['eu']), word('a', 160, true, ['us'])], [160, 200]],
    ['one that is forgotten', [word('a', 0, true), forgotten('a', 150)], [150, 200]],
    [
      'one that is forgotten beside another',
      [word('a', 0, true), word('b', 0, false), forgotten('b', 150)],
      [100, 150],
    ],
    ['words out of order', [word('a', 150, true), word('a', 100, false)], [100, 150]],
    ['two words of one moment', [word('a', 100, false), word('a', 100, true)], []],
    ['what is told later', [word('a', 0, true), word('a', 200, false)], []],
  ])('%s', (_, coverage, expected) => {
    expect([...sourceTimes(coverage, period).unknownOn('eu')]).toEqual(expected);
  });

  it('knows of nobody from where root causes are not known yet', () => {
    expect([...sourceTimes([word('a', 0, true)], period, 170).unknownOn('eu')]).toEqual([170, 200]);
    expect([...sourceTimes([word('a', 0, true)], period, 0).unknownOn('eu')]).toEqual([100, 200]);
    expect([...sourceTimes([word('a', 0, true)], period, 900).unknownOn('eu')]).toEqual([]);
  });

  it.each<[string, readonly AlarmCoverage[], LeftOut['heard'], string, readonly number[], readonly string[]]>([
    ['on a cluster that it speaks for', [word('loud', 0, true, ['eu'])], [], 'eu', [100, 200], ['loud']],
    ['on any, where it names none', [word('loud', 0, true)], [], 'us', [100, 200], ['loud']],
    [
      'beside another that is read',
      [word('loud', 0, true, ['eu']), word('a', 0, true)],
      [],
      'eu',
      [100, 200],
      ['loud'],
    ],
    ['on no other', [word('loud', 0, true, ['eu']), word('a', 0, true)], [], 'us', [], []],
    [
      'while it speaks for it',
      [word('loud', 0, true, ['eu']), word('loud', 150, true, ['us']), word('a', 0, true)],
      ...([[], 'eu' as const, [100, 150], ['loud']] as const),
    ],
    [
      'while it calls for one that it does not speak for',
      [word('loud', 0, true, ['eu']), word('a', 0, true)],
      [{ source: 'loud', cluster: 'us', from: 120, to: 130 }],
      ...(['us' as const, [120, 130], ['loud']] as const),
    ],
    [
      'not once it is forgotten',
      [word('loud', 0, true), forgotten('loud', 140), word('a', 0, true)],
      [],
      'eu',
      [100, 140],
      ['loud'],
    ],
  ])('knows nothing of a source whose calls are not read %s', (_what, coverage, heard, cluster, unknown, names) => {
    const leftOut = { sources: [{ source: 'loud', calls: 300_000 }], heard };
    const times = sourceTimes(coverage, period, null, leftOut);
    expect([...times.unknownOn(cluster)]).toEqual(unknown);
    expect(times.leftOutOn(cluster).map(({ source }) => source)).toEqual(names);
  });

  it('tells when a source spoke for a cluster, read or not', () => {
    const times = sourceTimes([word('a', 0, true, ['eu']), word('a', 120, false), forgotten('a', 180)], period);
    expect([...times.spoken('a', 'eu')]).toEqual([100, 180]);
    expect([...times.spoken('a', 'us')]).toEqual([120, 180]);
    expect([...times.spoken('b', 'eu')]).toEqual([]);
  });
});
