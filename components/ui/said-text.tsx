'use client';

import { shortCommit } from '#lib/format/revision.ts';
import { Commit } from './commit.tsx';

interface SaidTextProps {
  readonly text: string;
  /** Whole hashes of commits that the text may name by their first digits. */
  readonly commits: readonly (string | null)[];
}

/** A text as it was said, the commits in it linked, with their subjects on hover. */
export function SaidText({ text, commits }: SaidTextProps) {
  const named = new Map(commits.flatMap((commit) => (commit === null ? [] : [[shortCommit(commit), commit] as const])));
  return partsOf(text, [...named.keys()]).map((part, index) => {
    const commit = named.get(part);
    return commit === undefined ? part : <Commit key={`${index}${part}`} commit={commit} href={null} />;
  });
}

/** A text cut before and after each of the words that stand in it; of two that begin at one place the longer one counts. */
export function partsOf(text: string, words: readonly string[]): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  for (;;) {
    const next = nextWord(text, words, from);
    if (next === null) return [...parts, text.slice(from)];
    parts.push(text.slice(from, next.at), next.word);
    from = next.at + next.word.length;
  }
}

function nextWord(text: string, words: readonly string[], from: number): { at: number; word: string } | null {
  let first: { at: number; word: string } | null = null;
  for (const word of words) {
    const at = word === '' ? -1 : text.indexOf(word, from);
    if (at === -1) continue;
    if (first === null || at < first.at || (at === first.at && word.length > first.word.length)) first = { at, word };
  }
  return first;
}
