import { describe, expect, it } from 'vitest';
import { awayWords, guaranteeSentence, type GuaranteeCounts } from './guarantee-sentence.ts';

const inOrder: GuaranteeCounts = {
  holds: 1204,
  broken: 0,
  off: 0,
  unknown: 0,
  planned: 0,
  objects: 1204,
  away: 0,
  stale: 0,
  brokenStale: 0,
  notMeasurable: 2,
  clusters: { total: 14, unseen: 0, blind: 0, away: 0, stale: 0, silent: 0, syncing: 0, planned: 0 },
  alarmsRead: true,
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
      'one cluster in order',
      { ...inOrder, clusters: { ...inOrder.clusters, total: 1 } },
      'holds',
      'So it is, on the one cluster: 1,204 objects, 2 not measurable.',
    ],
    [
      'broken, some of it only stale',
      { ...inOrder, broken: 15, brokenStale: 14, clusters: { ...inOrder.clusters, silent: 2 } },
      'broken',
      'Not so on 2 of 14 clusters: 1 object is away from git and 14 are stale, and nobody was called.',
    ],
    [
      'broken, all of it only stale',
      { ...inOrder, broken: 14, brokenStale: 14, clusters: { ...inOrder.clusters, silent: 1 } },
      'broken',
      'Not so on 1 of 14 clusters: 14 objects are stale and nobody was called.',
    ],
    [
      'away and stale, no alarms',
      {
        ...inOrder,
        away: 1,
        stale: 14,
        unknown: 15,
        alarmsRead: false,
        clusters: { ...inOrder.clusters, away: 1, stale: 2 },
      },
      'unknown',
      'Not as in git on 1 of 14 clusters: 1 object is away from git and 14 are stale.',
    ],
    [
      'only stale: not known to be away',
      { ...inOrder, stale: 14, unknown: 14, alarmsRead: false, clusters: { ...inOrder.clusters, stale: 2 } },
      'unknown',
      'That cannot be said: 14 objects are stale on 2 of 14 clusters.',
    ],
    [
      'away and stale, alarms sounding',
      { ...inOrder, away: 2, stale: 1, clusters: { ...inOrder.clusters, away: 1, stale: 1 } },
      'holds',
      'So it is: 2 of 1,204 objects are away from git and 1 is stale, and alarms are sounding or not yet due, 2 not measurable.',
    ],
    [
      'planned work makes nothing green',
      { ...inOrder, planned: 5, clusters: { ...inOrder.clusters, planned: 1 } },
      'unknown',
      'So it is but for planned work on 1 of 14 clusters: 5 objects there are not known to be as in git.',
    ],
    [
      'planned work on clusters where all is in order takes nothing away',
      { ...inOrder, clusters: { ...inOrder.clusters, planned: 1 } },
      'holds',
      'So it is, on all 14 clusters: 1,204 objects, 2 not measurable.',
    ],
    [
      'being read',
      { ...inOrder, objects: 0, holds: 0, clusters: { ...inOrder.clusters, syncing: 1, unseen: 1 } },
      'unknown',
      'That cannot be said yet: 1 of 14 clusters is being read for the first time.',
    ],
    [
      'not seen',
      { ...inOrder, unknown: 60, clusters: { ...inOrder.clusters, unseen: 3 } },
      'unknown',
      'That cannot be said: 3 of 14 clusters are not seen.',
    ],
    [
      'no cluster',
      { ...inOrder, objects: 0, clusters: { ...inOrder.clusters, total: 0 } },
      'empty',
      'That cannot be said: no cluster is configured.',
    ],
    [
      'no alarms',
      { ...inOrder, away: 2, unknown: 2, alarmsRead: false, clusters: { ...inOrder.clusters, away: 1 } },
      'unknown',
      'Not as in git on 1 of 14 clusters: 2 objects are away from git.',
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
        expect(guaranteeSentence({ ...counts, alarmsRead: false }).truth).toBe('unknown');
        expect(guaranteeSentence(counts).truth).toBe('unknown');
      }
    }
  });
});

it.each([
  [1, 0, null, '1 object is away from git'],
  [2, 1, null, '2 objects are away from git and 1 is stale'],
  [0, 3, null, '3 objects are stale'],
  [2, 3, 40, '2 of 40 objects are away from git and 3 are stale'],
  [0, 1, 40, '1 of 40 objects is stale'],
])('%i away and %i stale of %s', (away, stale, total, words) => {
  expect(awayWords(away, stale, total)).toBe(words);
});
