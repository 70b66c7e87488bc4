import type { Role } from '../domain/observation/observation.ts';
import type { Verdict } from '../domain/verdict/verdict.ts';

const behind: ReadonlySet<Verdict> = new Set(['diverged', 'behind', 'waiting', 'stale']);

/** An object as far as its revision is told in words. */
interface Revised {
  readonly role: Role;
  readonly verdict: Verdict;
  readonly commit: string | null;
  readonly revision: { readonly applied: string | null };
}

/** Word before the revision of an object: only what applies revisions and is seen runs one of its own. */
export function runningWord({ role, verdict, commit, revision }: Revised): string {
  if (role === 'source') return 'Offers';
  if (role !== 'applier') return 'Declared at';
  const applied = commit !== null || revision.applied !== null;
  if (applied && verdict === 'unobserved') return 'Last applied';
  return applied && behind.has(verdict) ? 'Running, last applied' : 'Running';
}
