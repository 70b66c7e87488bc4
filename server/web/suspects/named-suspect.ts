import { notLookedAt, type WireNamedSuspect } from '#lib/api/git/named-suspect.ts';
import type { WireSuspicion } from '#lib/api/git/suspect.ts';
import type { CsvColumns } from '../wire/lists/csv.ts';

/** A conclusion in one line. What git did not tell in time was not looked at. */
export function namedSuspect({ type, sentence, late, suspects, owners }: WireSuspicion): WireNamedSuspect {
  if (late) return notLookedAt(sentence);
  const [only] = suspects;
  if (type !== 'culprit' || only === undefined) return { type, sentence, commit: null, owners };
  const { sha, subject, author, pullRequest, href } = only;
  return { type, sentence, commit: { sha, subject, author, pullRequest, href }, owners };
}

/** Columns that name the suspect of an item; all are empty where it broke in no range, `owners` also where they are not told. */
export const suspectColumns: CsvColumns<{ readonly suspect: WireNamedSuspect | null }> = {
  suspect: ({ suspect }) => suspect?.type ?? null,
  suspectCommit: ({ suspect }) => suspect?.commit?.sha ?? null,
  suspectSubject: ({ suspect }) => suspect?.commit?.subject ?? null,
  suspectAuthor: ({ suspect }) => suspect?.commit?.author ?? null,
  pullRequest: ({ suspect }) => suspect?.commit?.pullRequest?.number ?? null,
  owners: ({ suspect }) => suspect?.owners?.join(' ') ?? null,
};
