import { describe, expect, it } from 'vitest';
import { day, hour, minute, second } from '../../domain/time/length.ts';
import type { WaveCluster, WaveState } from './wave-cluster.ts';
import { arrivalsPath, waveOf, waveTicks } from './wave.ts';

const made = Date.UTC(2026, 10, 21, 2, 0, 0);

/** A cluster with times in seconds after the commit. */
function cluster(
  name: string,
  state: WaveState,
  [offered, first, last]: readonly [number | null, number | null, number | null],
  environment = 'production',
): WaveCluster {
  const at = (after: number | null) => (after === null ? null : made + after * second);
  return { cluster: name, environment, state, offeredAt: at(offered), firstAt: at(first), lastAt: at(last) };
}

const there = (name: string, last: number, environment?: string) =>
  cluster(name, 'converged', [10, last, last], environment);

describe('the time that the picture of a rollout shows', () => {
  it.each([
    ['to a little after the last arrival where all have it', [there('a', 100)], hour, [0, 108], false],
    ['to now while it is on its way', [there('a', 100), cluster('b', 'on-its-way', [10, null, null])], 200, [0, 200]],
    [
      'not much further than the last arrival where that is long ago and one is stuck',
      [there('a', 100), cluster('b', 'stuck', [10, null, null])],
      30 * 24 * 3600,
      [0, 150],
      true,
    ],
    [
      'to a little after the last arrival where one failed later: nothing is open',
      [cluster('a', 'failed-later', [10, 100, 100])],
      hour,
      [0, 108],
      false,
    ],
    ['to now where it has come nowhere', [cluster('b', 'on-its-way', [null, null, null])], 90, [0, 90]],
    ['from the first that is known, where the clock of its author is ahead', [there('a', 30)], 3600, [0, 32.4]],
    ['from an offer before it', [cluster('a', 'converged', [-20, 80, 80])], 3600, [-20, 88]],
    ['of nothing known: ten seconds', [], 3600, [0, 10.8]],
    ['that is not over a moment after: ten seconds', [cluster('b', 'on-its-way', [null, null, null])], 1, [0, 10]],
  ] as const)('is %s', (_name, clusters, now, [from, to], cut = false) => {
    const wave = waveOf(clusters, made, made + now * second);
    expect(wave.period).toEqual({ from: made + from * second, to: made + to * second });
    expect(wave.cut).toBe(cut);
  });
});

describe('a line of the picture', () => {
  it.each([
    [
      'that has it: waited, then spread',
      cluster('a', 'converged', [20, 40, 80]),
      { offered: 0.2, waited: [0.2, 0.4], spread: [0.4, 0.8], arrived: 0.8 },
    ],
    [
      'that has none of it yet: waits to the edge',
      cluster('a', 'on-its-way', [20, null, null]),
      { offered: 0.2, waited: [0.2, 1], spread: null, arrived: null },
    ],
    [
      'that has a part of it: spreads to the edge',
      cluster('a', 'stuck', [20, 40, 60]),
      { offered: 0.2, waited: [0.2, 0.4], spread: [0.4, 1], arrived: null },
    ],
    [
      'whose offer is not known: waits from the beginning',
      cluster('a', 'on-its-way', [null, 50, null]),
      { offered: null, waited: [0, 0.5], spread: [0.5, 1], arrived: null },
    ],
    [
      'that failed later: arrived when it did',
      cluster('a', 'failed-later', [20, 40, 80]),
      { offered: 0.2, waited: [0.2, 0.4], spread: [0.4, 0.8], arrived: 0.8 },
    ],
    [
      'that had it before the record: nothing is drawn',
      cluster('a', 'superseded', [null, null, null]),
      { offered: null, waited: null, spread: null, arrived: null },
    ],
  ] as const)('%s', (_name, of, line) => {
    // One that is open holds the picture open to 100 s.
    const { groups } = waveOf([of, cluster('b', 'on-its-way', [60, null, null], 'else')], made, made + 100 * second);
    const [drawn] = groups.find(({ environment }) => environment === 'production')?.lines ?? [];
    expect(drawn).toEqual({ cluster: 'a', state: of.state, ...line });
  });
});

describe('the order of the picture', () => {
  it('is that in which it came; who waits comes last, who is stuck at the end', () => {
    const wave = waveOf(
      [
        there('p-2', 300),
        cluster('p-4', 'stuck', [10, null, null]),
        cluster('p-3', 'on-its-way', [10, null, null]),
        there('p-1', 200),
        there('x', 500, ''),
        there('s-1', 60, 'staging'),
        cluster('n', 'on-its-way', [10, null, null], 'never'),
      ],
      made,
      made + 400 * second,
    );
    expect(wave.groups.map(({ environment, lines }) => [environment, ...lines.map((line) => line.cluster)])).toEqual([
      ['staging', 's-1'],
      ['production', 'p-1', 'p-2', 'p-3', 'p-4'],
      ['', 'x'],
      ['never', 'n'],
    ]);
  });
});

describe('a large fleet', () => {
  const bad = (n: number) => (n === 0 ? 'unknown' : n === 900 ? 'failed-later' : 'stuck');
  const fleet = Array.from({ length: 1000 }, (_, n) =>
    n % 100 === 0
      ? cluster(`c-${n}`, bad(n), [5, null, null])
      : there(`c-${n}`, 10 + (n % 90), n < 4 ? 'staging' : 'production'),
  );
  const { groups } = waveOf(fleet, made, made + 200 * second);

  it('is a curve an environment, with a few lines of who does not get it', () => {
    const production = groups.find(({ environment }) => environment === 'production');
    expect(production).toMatchObject({ clusters: 997, arrived: 987 });
    expect(production?.lines).toHaveLength(5);
    expect(production?.lines.map(({ state }) => state)).toEqual(['stuck', 'stuck', 'stuck', 'stuck', 'stuck']);
    // As many steps as there are times, and not as there are clusters.
    expect(production?.curve?.match(/V/g)).toHaveLength(91);
  });

  it('has lines still in an environment of few', () => {
    expect(groups.find(({ environment }) => environment === 'staging')).toMatchObject({ curve: null, arrived: 3 });
  });
});

describe('the curve of arrivals', () => {
  const period = { from: made, to: made + 100 * second };
  it.each([
    ['half of two', [there('a', 50), cluster('b', 'stuck', [0, null, null])], 'M0 40H500V20H1000V40'],
    ['two at once', [there('a', 25), there('b', 25)], 'M0 40H250V0H1000V40'],
    [
      'not of one that fails since',
      [there('a', 50), cluster('b', 'failed-later', [0, 10, 20])],
      'M0 40H500V20H1000V40',
    ],
    ['before the record: from the beginning', [cluster('a', 'converged', [null, null, null])], 'M0 40H0V0H1000V40'],
    ['none', [cluster('b', 'stuck', [0, null, null])], ''],
  ] as const)('%s', (_name, clusters, path) => {
    expect(arrivalsPath(clusters, period)).toBe(path);
  });
});

describe('the ticks of the time since the commit', () => {
  it.each([
    ['seconds', 40 * second, [0, 10, 20, 30]],
    ['minutes', 5 * minute, [0, 60, 120, 180, 240]],
    ['hours', 5 * hour, [0, 3600, 7200, 10_800, 14_400]],
  ])('%s', (_name, length, after) => {
    expect(waveTicks({ from: made, to: made + length }, made, 5).map((tick) => tick.after / second)).toEqual(after);
  });

  it('are few however long ago the commit says that it was made', () => {
    for (const years of [1, 7, 30, 56, 300_000]) {
      const ticks = waveTicks({ from: made - years * 365 * day, to: made }, made - years * 365 * day, 5);
      expect([years, ticks.length > 1, ticks.length <= 6]).toEqual([years, true, true]);
    }
  });

  it('stand after what was before the commit', () => {
    const ticks = waveTicks({ from: made - 10 * second, to: made + 30 * second }, made, 5);
    expect(ticks.map(({ at }) => at)).toEqual([0.25, 0.5, 0.75]);
  });
});
