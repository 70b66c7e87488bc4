import { describe, expect, it } from 'vitest';
import type { CauseGroup } from './cause-group.ts';
import { compareCauses, heldFor, orderCauses, stakeOf } from './cause-order.ts';
import { noon, observed } from '../testing/observed.ts';

const long = { time: noon - 600_000, bound: 'exact', noticedAt: noon - 600_000 } as const;

function cause(name: string, part: Partial<CauseGroup> = {}): CauseGroup {
  return {
    key: name,
    cause: { type: 'object', ref: { ...observed().ref, name } },
    title: name,
    verdict: 'diverged',
    text: '',
    commits: [],
    objects: 1,
    clusters: 1,
    since: long,
    alarm: 'unknown',
    broken: null,
    ...part,
  };
}

function order(...causes: readonly CauseGroup[]): readonly string[] {
  return orderCauses(causes, noon).lines.map(({ key }) => key);
}

describe('the order of causes', () => {
  it.each([
    ['diverged', 1, 0],
    ['diverged', 2, -1],
    ['stale', 1, 3],
    ['stale', 8, 0],
    ['stale', 74, -3],
    ['unobserved', 111, -2],
    ['unobserved', 0, 0],
    ['waiting', 1, 7],
  ] as const)('%s with %i objects is at %i', (verdict, objects, stake) => {
    expect(stakeOf({ verdict, objects })).toBe(stake);
  });

  it('a lost cluster with 111 objects and dead controllers with 74 stand above causes of one object', () => {
    const ones = ['a', 'b', 'c', 'd', 'e'].map((name) => cause(name));
    const lost = cause('lost', { verdict: 'unobserved', objects: 111 });
    const dead = cause('dead', { verdict: 'stale', objects: 74 });
    expect(order(...ones, lost, dead).slice(0, 3)).toEqual(['dead', 'lost', 'a']);
  });

  it('silent first, then what is at stake, then the worse verdict, then the longest', () => {
    const silent = cause('silent', { verdict: 'behind', alarm: 'silent' });
    const eight = cause('eight', { verdict: 'stale', objects: 8 });
    const older = cause('older', { since: { ...long, time: noon - 900_000 } });
    expect(order(cause('one'), eight, older, silent)).toEqual(['silent', 'older', 'one', 'eight']);
  });
});

it.each<[first: Partial<CauseGroup>, second: Partial<CauseGroup>]>([
  [{ alarm: 'silent', verdict: 'behind' }, {}],
  [{ verdict: 'stale', objects: 16 }, {}],
  [{}, { verdict: 'stale', objects: 8 }],
  [{ objects: 3 }, { objects: 2 }],
  [{ objects: 2, since: { ...long, time: noon - 601_000 } }, { objects: 2 }],
  [{ key: 'a', title: 'z' }, { key: 'b' }],
])('%j stands above %j', (first, second) => {
  const [one, two] = [cause('first', first), cause('second', second)];
  expect([compareCauses(one, two) < 0, compareCauses(two, one) > 0]).toEqual([true, true]);
});

describe('a cause that is forming', () => {
  const begun = (name: string, ago: number, part: Partial<CauseGroup> = {}) =>
    cause(name, { since: { time: noon - ago, bound: 'exact', noticedAt: noon - ago }, verdict: 'stale', ...part });
  const many = Array.from({ length: 26 }, (_, at) => begun(`app-${at}`, 3_000));

  it('is one line that counts all, as bad as the worst of them', () => {
    const { lines, until } = orderCauses(
      [...many, begun('worst', 1_000, { verdict: 'unhealthy' }), cause('old')],
      noon,
    );
    expect(lines.map(({ title, text, objects, verdict }) => [title, text, objects, verdict])).toEqual([
      ['27 objects', 'cause being determined', 27, 'unhealthy'],
      ['old', '', 1, 'diverged'],
    ]);
    expect(until).toBe(noon - 3_000 + heldFor);
  });

  it('three are held for 15 s, told with the worst, the longest and all clusters of them', () => {
    const broken = { link: 'rule', objects: 1, silent: 1 } as const;
    const on = (cluster: string) => ({ cause: { type: 'object', ref: { ...observed().ref, cluster } } }) as const;
    const worst = begun('worst', 0, { ...on('c1'), verdict: 'unhealthy', alarm: 'silent', broken });
    const longest = begun('longest', 14_999, { ...on('c2'), alarm: 'sounding' });
    const other = begun('other', 2, on('c2'));
    for (const causes of [
      [worst, longest, other],
      [other, longest, worst],
      [longest, other, worst],
    ])
      expect(orderCauses(causes, noon)).toEqual({
        lines: [
          {
            key: 'forming',
            cause: null,
            title: '3 objects',
            verdict: 'unhealthy',
            text: 'cause being determined',
            commits: [],
            objects: 3,
            clusters: 2,
            since: longest.since,
            alarm: 'silent',
            broken,
          },
        ],
        until: noon + 1,
      });
    expect(orderCauses([worst, other], noon).lines).toHaveLength(2);
    expect(orderCauses([worst, begun('old', 15_000), other], noon).lines).toHaveLength(3);
  });

  it('is told one by one when its time is over, whatever comes meanwhile', () => {
    const later = noon - 3_000 + heldFor;
    expect(orderCauses(many, later - 1).lines).toHaveLength(1);
    expect(orderCauses(many, later).lines).toHaveLength(26);
    expect(orderCauses(many, later).until).toBe(Infinity);
  });

  it.each<readonly [string, readonly CauseGroup[]]>([
    ['two lines are read as they are', many.slice(0, 2)],
    ['what takes others down has its name', many.slice(0, 2).concat(begun('source', 1_000, { objects: 12 }))],
    ['a controller has its name', [...many.slice(0, 2), begun('x', 1, { cause: { type: 'cluster', cluster: 'c1' } })]],
    [
      'a clock that was set back holds nothing',
      many.map((one) => ({ ...one, since: { ...one.since, noticedAt: noon + 1 } })),
    ],
  ])('%s', (_name, causes) => {
    expect(orderCauses(causes, noon).lines).toHaveLength(causes.length);
  });
});

it('holds as many new causes as three clusters of the largest size may bring at once', () => {
  const since = { time: noon, bound: 'exact', noticedAt: noon } as const;
  const young = Array.from({ length: 150_000 }, (_, n) => cause(`o${n}`, { since }));
  const { lines, until } = orderCauses(young, noon);
  expect([lines.length, until]).toEqual([1, noon + heldFor]);
});
