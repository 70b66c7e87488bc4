import { withoutEnd } from '../text/without-end.ts';

/** The hash, or the first digits of one, that a pasted text is: in small letters, without what a link to a git host has around it; null of any other text. */
export function commitDigits(text: string): string | null {
  const last = withoutEnd(text.trim().replace(/[?#].*/s, ''), '/')
    .replace(/^.*[/@:]/, '')
    .toLowerCase();
  return /^[0-9a-f]{7,64}$/.test(last) ? last : null;
}
