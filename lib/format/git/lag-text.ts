import { beyondText } from '../../domain/commit/beyond.ts';
import type { Lag, LagUnknown } from '../../domain/commit/lag.ts';
import { formatDuration } from '../duration.ts';
import { countOf } from '../number.ts';

/** A piece of the sentence: plain, or leading to the commits that touch the path, or to the oldest of them. */
export interface LagPart {
  readonly text: string;
  readonly to: 'touching' | 'oldest' | null;
}

function plain(text: string): LagPart {
  return { text, to: null };
}

/** The lag in words, at a time (ms): "3 commits behind, 2 touch this path, the oldest waits for 12 min". */
export function lagParts(lag: Lag, now: number): readonly LagPart[] {
  if (lag.type === 'unknown') return [plain(`how far behind is not known: ${lagUnknownText(lag.why, lag.branch)}`)];
  const { branch, commits, touching, atLeast, oldestAt } = lag;
  if (commits === 0) return [plain(`at the newest commit of ${branch}`)];
  const behind = `${countOf(commits, 'commit')} behind`;
  if (touching === 0) return [plain(`${behind}, ${commits === 1 ? 'which does not touch' : 'none touches'} this path`)];
  const waits = oldestAt === null ? '' : ` waits for ${formatDuration(now - oldestAt)}`;
  if (commits === 1) {
    const text = 'which touches this path';
    const rest = waits === '' ? [] : [plain(' and'), plain(waits)];
    return [plain(`${behind}, `), { text, to: 'touching' }, ...rest];
  }
  const verb = touching === 1 ? 'touches' : 'touch';
  const of = atLeast ? `at least ${touching} ${verb} what it builds from` : `${touching} ${verb} this path`;
  const touch: LagPart = { text: of, to: 'touching' };
  if (waits === '') return [plain(`${behind}, `), touch];
  return [
    plain(`${behind}, `),
    touch,
    plain(touching === 1 ? ' and' : ', '),
    ...(touching === 1 ? [] : [{ text: atLeast ? 'the oldest of these' : 'the oldest', to: 'oldest' as const }]),
    plain(waits),
  ];
}

/** The same as one text. */
export function lagText(lag: Lag, now: number): string {
  return lagParts(lag, now)
    .map(({ text }) => text)
    .join('');
}

/** Why a lag is not known, in a few words. */
export function lagUnknownText(why: LagUnknown, branch: string | null): string {
  const name = branch ?? 'its branch';
  switch (why) {
    case 'not-seen':
      return 'what it runs now is not known';
    case 'no-branch':
      return 'its source follows no branch';
    case 'offer-not-read':
      return 'what its source offers is not read, and the mirror may be older';
    case 'older-mirror':
      return 'the mirror is older than what its source offers';
    case 'no-such-commit':
      return 'the mirror does not hold the commit that it runs';
    case 'no-such-branch':
      return `the mirror has no branch ${name}`;
    case 'rewritten':
      return `${name} does not hold the commit that it runs`;
    case 'too-many':
      return 'more commits lie between than are counted';
    case 'unreadable':
      return 'the mirror cannot be read';
    case 'unknown-components':
    case 'other-sources':
    case 'sparse-source':
      return beyondText(why);
    case 'not-told':
      return 'git tells nothing of its repository now';
  }
}
