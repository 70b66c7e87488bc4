import { beyonds } from './beyond.ts';

/**
 * Why it is not known how far an object is behind.
 * - not-seen: the object is not seen, or nothing tells which commit it runs
 * - no-branch: its source follows no branch: a tag, a commit, an artifact
 * - offer-not-read: what its source offers is not known, so nothing shows that the mirror is as new
 * - older-mirror: the mirror does not hold what its source offers
 * - no-such-commit, no-such-branch, rewritten, too-many, unreadable: as git tells (`betweenUnknown`)
 * - unknown-components, other-sources, sparse-source: none of the commits touches its path, and it builds from something else too (`beyonds`)
 * - not-told: git tells nothing of the repository
 */
export const lagUnknowns = [
  'not-seen',
  'no-branch',
  'offer-not-read',
  'older-mirror',
  'no-such-commit',
  'no-such-branch',
  'rewritten',
  'too-many',
  'unreadable',
  ...beyonds,
  'not-told',
] as const;
export type LagUnknown = (typeof lagUnknowns)[number];

/** Distance of an object behind the branch that its source follows: commits that have not arrived, and those of them that touch what it builds from. */
export type Lag =
  | {
      readonly type: 'known';
      readonly branch: string;
      readonly commits: number;
      readonly touching: number;
      /** True where not all is known that it builds from: more of them may touch it than `touching`, older ones too. */
      readonly atLeast: boolean;
      /** When the oldest of those that touch was committed, by the clock of who did (ms); null where that is not known. */
      readonly oldestAt: number | null;
    }
  | { readonly type: 'unknown'; readonly why: LagUnknown; readonly branch: string | null };
