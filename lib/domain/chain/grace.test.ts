// When patience ends: at the very moment at which another look was asked for.
import { expect, it } from 'vitest';
import { defaultPolicy } from '../guarantee/guarantee.ts';
import { around, managed, noon, observed, revisionB, source, standing, tracked } from '../testing/observed.ts';
import { minute } from '../time/length.ts';
import { judge } from '../verdict/judge.ts';
import type { Surroundings } from '../verdict/subject.ts';

const composite = observed({ role: 'composite', children: [managed().ref] });
const newer = source({ revisions: { applied: null, attempted: null, artifact: revisionB, origin: null } });
const offeredAt = noon - 5 * minute;

it.each<
  [what: string, subject: ReturnType<typeof observed>, around: Partial<Surroundings>, ends: number, verdict: string]
>([
  [
    'an offer that is not taken up',
    observed(),
    { source: standing(newer, 'converged', { artifactSince: offeredAt }) },
    offeredAt + defaultPolicy.behindAfter,
    'behind',
  ],
  [
    'a part that is not there',
    composite,
    { children: [standing(managed(), 'converged', { state: 'missing', judgement: null, awaySince: noon })] },
    noon + minute,
    'diverged',
  ],
  [
    'a source that is not there',
    observed({ source: source().ref }),
    { source: standing(source(), 'converged', { state: 'missing', judgement: null, awaySince: noon }) },
    noon + 10_000,
    'stale',
  ],
])('%s', (_what, subject, surroundings, ends, verdict) => {
  const at = (now: number) => judge({ track: tracked(subject) }, around(surroundings), defaultPolicy, now);
  expect(at(ends - 1)).toMatchObject({ verdict: 'converged', reviewAt: ends });
  expect(at(ends).verdict).toBe(verdict);
});
