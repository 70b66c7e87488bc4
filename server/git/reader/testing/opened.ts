import type { GitHost } from '#lib/git-host/host.ts';
import { runGit } from '../../program/run-git.ts';
import type { Answered } from '../answered.ts';
import { openRepository, type RepositoryReader } from '../open-repository.ts';
import type { MadeRepository } from './made-repository.ts';

/** A reader of a made repository as it is now. */
export async function opened(made: MadeRepository, host: GitHost | null = null): Promise<RepositoryReader> {
  const reader = openRepository(made.directory, { runGit, host });
  await reader.refresh({ defaultBranch: 'main', branches: made.branches() });
  return reader;
}

/** Tells an open reader that something was pushed. */
export async function pushed(reader: RepositoryReader, made: MadeRepository): Promise<void> {
  await reader.refresh({ defaultBranch: 'main', branches: made.branches() });
}

/** The answer. Throws where there is none. */
export function answerOf<Answer>(answered: Answered<Answer>): Answer {
  if (answered.type === 'told') return answered.answer;
  throw new Error(answered.reason);
}
