import type { KnownObject } from '../alarm/known-object.ts';
import { expect, it } from 'vitest';
import { defaultPolicy } from '../guarantee/guarantee.ts';
import { noon, recorded } from '../testing/observed.ts';
import { hour } from '../time/length.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { columnSeeds } from './column-seeds.ts';
import { matrixRow } from './matrix-row.ts';

function object(name: string, verdict: Verdict, hours: number, rest: Partial<KnownObject> = {}): KnownObject {
  const since = { time: noon - hours * hour, bound: 'exact' as const, noticedAt: noon - hours * hour };
  const { ref } = recorded();
  return recorded({ ref: { ...ref, name }, verdict, onset: since, awaySince: since, ...rest });
}

const alarmed = { alarm: { state: 'sounding', since: 0, by: 'own' } } as const;
const declared = { role: 'declared', reconciler: 'none' } as const;

/** The name of the object that stands for a cell of these. */
function worstOf(...objects: readonly KnownObject[]): string | undefined {
  const cluster = {
    name: 'c1',
    labels: {},
    known: { state: 'live', since: 0, bound: 'exact', reason: null, cautions: [] },
  } as const;
  const question = { mode: { by: 'kind' }, policy: defaultPolicy, now: noon, seeds: columnSeeds() } as const;
  return matrixRow(cluster, objects, question).cells[0]?.worst.ref.name;
}

const cases: readonly (readonly [string, KnownObject, KnownObject])[] = [
  [
    'one that nobody is being called for, however bad others are',
    object('a', 'behind', 1),
    object('b', 'diverged', 9, alarmed),
  ],
  [
    'else one that is observed, however bad what is only declared',
    object('a', 'converged', 1),
    object('b', 'unobserved', 9, declared),
  ],
  ['else the worst verdict', object('a', 'diverged', 1), object('b', 'drifted', 9)],
  ['else who is away longest', object('a', 'stale', 9), object('b', 'stale', 1)],
];

it.each(cases)('a cell is shown as %s, in whichever order they come', (_name, worst, other) => {
  expect([worstOf(worst, other), worstOf(other, worst)]).toEqual(['a', 'a']);
});
