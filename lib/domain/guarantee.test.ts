import { describe, expect, it } from 'vitest';
import { defaultPolicy, guaranteeOf, guaranteeSentence, type GuaranteeCounts } from './guarantee.ts';
import { minute, noon, recorded } from './testing/observed.ts';

const since = (minutes: number) => ({ time: noon - minutes * minute, bound: 'exact' as const, noticedAt: noon });

describe('the guarantee of one object', () => {
  it.each([
    ['converged', recorded(), 'holds'],
    ['suspended', recorded({ verdict: 'suspended' }), 'off'],
    ['unobserved', recorded({ verdict: 'unobserved' }), 'unknown'],
    ['unconfirmed', recorded({ verdict: 'unconfirmed' }), 'unknown'],
    [
      'away with an alarm',
      recorded({ verdict: 'diverged', awaySince: since(60), alarm: { state: 'sounding', broken: null } }),
      'holds',
    ],
    [
      'away and silent for an hour',
      recorded({ verdict: 'diverged', awaySince: since(60), alarm: { state: 'silent', broken: 'rule' } }),
      'broken',
    ],
    [
      'away and silent within the time',
      recorded({ verdict: 'diverged', awaySince: since(10), alarm: { state: 'silent', broken: 'rule' } }),
      'holds',
    ],
    [
      'away while alarms cannot be read',
      recorded({ verdict: 'diverged', awaySince: since(1), alarm: { state: 'unknown', broken: null } }),
      'unknown',
    ],
  ] as const)('%s: %s', (_name, object, guarantee) => {
    expect(guaranteeOf(object, defaultPolicy, noon)).toBe(guarantee);
  });
});

const inOrder: GuaranteeCounts = {
  holds: 1204,
  broken: 0,
  off: 0,
  unknown: 0,
  objects: 1204,
  away: 0,
  notMeasurable: 2,
  clusters: { total: 14, unseen: 0, blind: 0, away: 0, silent: 0, syncing: 0 },
  alarmsReadable: true,
};

describe('the sentence', () => {
  it.each([
    ['in order', inOrder, 'holds', 'So it is, on all 14 clusters: 1,204 objects, 2 not measurable.'],
    [
      'broken',
      { ...inOrder, broken: 2, away: 2, clusters: { ...inOrder.clusters, away: 2, silent: 2 } },
      'broken',
      'Not so on 2 of 14 clusters: 2 objects are away from git and nobody was called.',
    ],
    [
      'not seen',
      { ...inOrder, unknown: 60, clusters: { ...inOrder.clusters, unseen: 3 } },
      'unknown',
      'That cannot be said: 3 of 14 clusters are not seen.',
    ],
    [
      'no cluster',
      { ...inOrder, objects: 0, clusters: { total: 0, unseen: 0, blind: 0, away: 0, silent: 0, syncing: 0 } },
      'empty',
      'That cannot be said: no cluster is configured.',
    ],
    [
      'no alarms',
      { ...inOrder, away: 2, unknown: 2, alarmsReadable: false, clusters: { ...inOrder.clusters, away: 1 } },
      'unknown',
      'Not as in git on 1 of 14 clusters: 2 objects are away from git, and no alarms are read.',
    ],
    [
      'not seen and never known, while alarms sound elsewhere',
      { ...inOrder, away: 2, clusters: { ...inOrder.clusters, unseen: 1, away: 1 } },
      'unknown',
      'That cannot be said: 1 of 14 clusters is not seen.',
    ],
    [
      'a kind that is forbidden',
      { ...inOrder, clusters: { ...inOrder.clusters, blind: 2 } },
      'unknown',
      'That cannot be said: on 2 of 14 clusters not every kind can be read.',
    ],
    [
      'nothing found',
      { ...inOrder, holds: 0, objects: 0, notMeasurable: 0 },
      'unknown',
      'That cannot be said: no object is known on 14 clusters.',
    ],
    [
      'unproven',
      { ...inOrder, unknown: 4 },
      'unknown',
      'That cannot be said: nothing proves it for 4 of 1,204 objects.',
    ],
  ] as const)('%s', (_name, counts, truth, text) => {
    const sentence = guaranteeSentence(counts);
    expect(sentence.truth).toBe(truth);
    expect(`${sentence.lead} ${sentence.head}`.trim()).toBe(text);
  });

  it('is never better than unknown while anything is unknown', () => {
    for (const unseen of [0, 1]) {
      for (const away of [0, 1]) {
        const counts = { ...inOrder, unknown: 1, away, clusters: { ...inOrder.clusters, unseen, away } };
        expect(guaranteeSentence({ ...counts, alarmsReadable: false }).truth).toBe('unknown');
        expect(guaranteeSentence(counts).truth).toBe('unknown');
      }
    }
  });
});
