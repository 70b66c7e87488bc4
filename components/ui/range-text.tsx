import type { WireCommitRange, WireRevision } from '#lib/api/object.ts';
import { rangeParts } from '#lib/domain/record/commit-range-text.ts';
import { Commit } from './commit.tsx';

interface RangeTextProps {
  readonly range: WireCommitRange;
}

/** A range in words, its commits linked: "worked at 2d81a0c, first failed at 9f31c07". */
export function RangeText({ range }: RangeTextProps) {
  return rangeParts(range).map((part, index) => {
    if (typeof part === 'string') return part;
    const end = range[part.end];
    return end === null ? null : <RangeEnd key={`${index}${part.end}`} end={end} />;
  });
}

/** One end of a range, linked where it is a commit that leads somewhere. */
export function RangeEnd({ end: { text, commit, href } }: { readonly end: WireRevision }) {
  return commit === null ? <code>{text}</code> : <Commit commit={commit} href={href} />;
}
