import { describe, expect, it } from 'vitest';
import { caption, cellsOf, guaranteeSentence, saidText, type SentenceFacts } from './guarantee-sentence.ts';
import { guarantees, type Guarantee } from './guarantee.ts';
import { countInto, countOfCells, emptyTally, type Tally } from './tally.ts';
import { verdicts, type Verdict } from '../verdict/verdict.ts';

type Some = readonly [n: number, verdict: Verdict, guarantee: Guarantee];

function tallyOf(...of: readonly Some[]): Tally {
  const tally = emptyTally();
  for (const [n, verdict, guarantee] of of) for (let i = 0; i < n; i++) countInto(tally, verdict, guarantee);
  return tally;
}

const good: Some = [1204, 'converged', 'holds'];
const fourteen = { total: 14, unseen: 0, blind: 0, syncing: 0, silent: 0, away: 0, planned: 0 };

function facts(some: readonly Some[], clusters: Partial<SentenceFacts['clusters']> = {}): SentenceFacts {
  return { tally: tallyOf(...some), notMeasurable: 0, filtered: false, clusters: { ...fourteen, ...clusters } };
}

function textOf(of: SentenceFacts): string {
  const { lead, body } = guaranteeSentence(of);
  return `${saidText(lead)} ${saidText(body)}`.trim();
}

describe('the sentence', () => {
  it.each<readonly [string, SentenceFacts, string, string]>([
    [
      'in order',
      { ...facts([good]), notMeasurable: 2 },
      'holds',
      'So it is, on all 14 clusters: 1,204 objects, 2 not measurable.',
    ],
    ['one cluster in order', facts([good], { total: 1 }), 'holds', 'So it is, on the one cluster: 1,204 objects.'],
    [
      'silent, and some of it stale',
      facts([good, [1, 'diverged', 'broken'], [14, 'stale', 'broken']], { silent: 2 }),
      'broken',
      'Not so on 2 of 14 clusters: nobody is being called for 1 diverged, 14 stale.',
    ],
    [
      'away, waiting, stale and unconfirmed, no alarms: each number is one verdict',
      facts(
        [
          good,
          [1, 'diverged', 'unknown'],
          [4, 'waiting', 'unknown'],
          [14, 'stale', 'unknown'],
          [6, 'unconfirmed', 'unknown'],
        ],
        {
          away: 1,
        },
      ),
      'unknown',
      'Not as in git on 1 of 14 clusters: 1 diverged, 4 waiting. Not confirmed: 14 stale, 6 unconfirmed of 1,229 objects.',
    ],
    ['only stale', facts([good, [14, 'stale', 'unknown']]), 'unknown', 'Not confirmed: 14 stale of 1,218 objects.'],
    [
      'only unproven',
      facts([
        [1358, 'converged', 'holds'],
        [6, 'unconfirmed', 'unknown'],
      ]),
      'unknown',
      'Not confirmed: 6 of 1,364 objects.',
    ],
    [
      'what is not seen comes first',
      facts([good, [1, 'diverged', 'unknown'], [60, 'unobserved', 'unknown']], { total: 11, unseen: 9, away: 1 }),
      'unknown',
      '9 of 11 clusters are not seen. Not as in git on 1 of 11 clusters: 1 diverged. Not confirmed: 60 unobserved of 1,265 objects.',
    ],
    ['not seen and never known', facts([good], { unseen: 1 }), 'unknown', '1 of 14 clusters is not seen.'],
    [
      'a kind that is forbidden',
      facts([good], { blind: 2 }),
      'unknown',
      'On 2 of 14 clusters not every kind can be read.',
    ],
    [
      'away, alarms sounding',
      facts([good, [2, 'diverged', 'holds'], [1, 'stale', 'holds']]),
      'holds',
      'So it is, on all 14 clusters: 1,207 objects. Alarms are sounding, or not yet due, for 2 diverged, 1 stale.',
    ],
    [
      'planned work makes nothing green',
      facts([good, [5, 'stale', 'planned']], { planned: 1 }),
      'unknown',
      'So it is but for planned work on 1 of 14 clusters: 5 objects there are not known to be as in git.',
    ],
    [
      'planned work on clusters where all is in order takes nothing away',
      facts([good], { planned: 1 }),
      'holds',
      'So it is, on all 14 clusters: 1,204 objects.',
    ],
    [
      'being read',
      facts([], { syncing: 1, unseen: 1 }),
      'unknown',
      'That cannot be said yet: 1 of 14 clusters is being read for the first time.',
    ],
    [
      'two being read',
      facts([], { syncing: 2 }),
      'unknown',
      'That cannot be said yet: 2 of 14 clusters are being read for the first time.',
    ],
    [
      'planned work on one object',
      facts([good, [1, 'stale', 'planned']], { planned: 1 }),
      'unknown',
      'So it is but for planned work on 1 of 14 clusters: 1 object there is not known to be as in git.',
    ],
    [
      'one object, not measured',
      { ...facts([[1, 'converged', 'holds']], { total: 2 }), notMeasurable: 1 },
      'holds',
      'So it is, on all 2 clusters: 1 object, 1 not measurable.',
    ],
    [
      'one cluster in which nothing is known',
      facts([], { total: 1 }),
      'unknown',
      'That cannot be said: no object is known on 1 cluster.',
    ],
    ['no cluster', facts([], { total: 0 }), 'empty', 'That cannot be said: no cluster is configured.'],
    [
      'a filter that keeps nothing',
      { ...facts([], { total: 0 }), filtered: true },
      'empty',
      'Nothing matches this filter.',
    ],
    ['nothing found', facts([]), 'unknown', 'That cannot be said: no object is known on 14 clusters.'],
    [
      'what is only declared does not turn it, and is not counted among the objects',
      facts([good, [2, 'unobserved', 'declared']]),
      'holds',
      'So it is, on all 14 clusters: 1,204 objects.',
    ],
    [
      'what is switched off does not turn it',
      facts([good, [3, 'suspended', 'off']]),
      'holds',
      'So it is, on all 14 clusters: 1,207 objects.',
    ],
  ])('%s', (_name, of, truth, text) => {
    expect(guaranteeSentence(of)).toMatchObject({ truth, caption });
    expect(textOf(of)).toBe(text);
    const { lead, body } = guaranteeSentence(of);
    expect([...lead, ...body].filter((part) => part.text === '')).toEqual([]);
  });

  it('every number stands for the cells that it names', () => {
    const some = verdicts.flatMap((verdict, v) =>
      guarantees.map((guarantee, g): Some => [v * 7 + g + 1, verdict, guarantee]),
    );
    const of = { ...facts(some, { unseen: 1, away: 1, silent: 1 }), notMeasurable: 3 };
    const { lead, body } = guaranteeSentence(of);
    const numbers = [...lead, ...body].flatMap(({ text, counts }) =>
      counts === null || counts === 'not-measured' ? [] : [{ text, counts }],
    );
    expect(numbers).toHaveLength(28);
    for (const { text, counts } of numbers)
      expect(Number(/^[\d,]+/.exec(text)?.[0].replaceAll(',', ''))).toBe(countOfCells(of.tally, counts));
  });

  it('what asks whether anybody was called is all that is away or stale; trouble is that, what is not seen and what is planned', () => {
    const inCells = (cells: { verdicts: readonly Verdict[]; guarantees: readonly Guarantee[] }) =>
      verdicts.flatMap((verdict) =>
        guarantees.flatMap((guarantee) =>
          cells.verdicts.includes(verdict) && cells.guarantees.includes(guarantee) ? `${verdict} ${guarantee}` : [],
        ),
      );
    const away = ['diverged', 'drifted', 'unhealthy', 'stale', 'behind', 'waiting', 'progressing'];
    const of = (some: readonly string[], ...which: readonly Guarantee[]) =>
      verdicts.flatMap((verdict) =>
        guarantees.flatMap((guarantee) =>
          some.includes(verdict) && which.includes(guarantee) ? `${verdict} ${guarantee}` : [],
        ),
      );
    expect(inCells(cellsOf.asking)).toEqual(of(away, 'holds', 'broken', 'unknown'));
    expect(inCells(cellsOf.troubled)).toEqual(of([...away, 'unobserved'], 'holds', 'broken', 'unknown', 'planned'));
  });

  it('leaves out nothing whose guarantee is broken or unknown, in whatever verdict it is', () => {
    const open = new Set([...cellsOf.away.verdicts, ...cellsOf.notConfirmed.verdicts]);
    for (const verdict of verdicts)
      for (const guarantee of ['broken', 'unknown'] as const) {
        if (guarantee === 'unknown' && !open.has(verdict)) continue;
        const { truth } = guaranteeSentence(facts([good, [1, verdict, guarantee]], { away: 1, silent: 1 }));
        expect(truth).toBe(guarantee);
      }
  });
});
