import { z } from 'zod';

/**
 * Conclusion on the range in which something broke, in one line. culprit: `commit` is the one that touches what it builds from; suspects: several
 * may be it, or one with a doubt; none: git did not change it, but for what the sentence says; not-told: git was asked, and nothing is concluded;
 * not-looked-at: git was not asked, or did not answer in time: nothing follows from it.
 */
export const WireNamedSuspect = z.object({
  type: z.enum(['culprit', 'suspects', 'none', 'not-told', 'not-looked-at']),
  /** In words, without the names of the commits. */
  sentence: z.string(),
  /** null where not one commit is the culprit. */
  commit: z
    .object({
      sha: z.string(),
      subject: z.string(),
      author: z.string(),
      /** By the convention of the host; `href` null where the host is not known. */
      pullRequest: z.object({ number: z.number(), href: z.string().nullable() }).nullable(),
      /** On its git host; null where that is not known. */
      href: z.string().nullable(),
    })
    .nullable(),
  /** Who owns the path by the CODEOWNERS of the host; empty where nobody does, null where that is not told. */
  owners: z.array(z.string()).nullable(),
});
export type WireNamedSuspect = z.infer<typeof WireNamedSuspect>;

/** One of which git was not asked; `sentence`: why. */
export function notLookedAt(sentence: string): WireNamedSuspect {
  return { type: 'not-looked-at', sentence, commit: null, owners: null };
}
