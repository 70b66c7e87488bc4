import { expect, it } from 'vitest';
import { verdicts } from '../domain/verdict/verdict.ts';
import { runningWord } from './running-word.ts';

const some = { commit: 'a', revision: { applied: null } };

it.each(verdicts)('the word before the revision of an applier that is %s', (verdict) => {
  const late = ['diverged', 'stale', 'behind', 'waiting'].includes(verdict);
  const word = late ? 'Running, last applied' : verdict === 'unobserved' ? 'Last applied' : 'Running';
  expect(runningWord({ role: 'applier', verdict, ...some })).toBe(word);
  expect(runningWord({ role: 'applier', verdict, commit: null, revision: { applied: 'a' } })).toBe(word);
  expect(runningWord({ role: 'applier', verdict, commit: null, revision: { applied: null } })).toBe('Running');
  expect(runningWord({ role: 'source', verdict, ...some })).toBe('Offers');
  expect(runningWord({ role: 'managed', verdict, ...some })).toBe('Declared at');
});
