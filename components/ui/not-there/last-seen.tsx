import type { WireTransition } from '#lib/api/object.ts';
import { verdictLabel } from '#lib/format/verdict-label.ts';
import { Commit } from '../commit.tsx';
import { Time } from '../time.tsx';

/** Until when an object that is not there was there, and in which state it went. */
export function LastSeen({ last }: { readonly last: WireTransition }) {
  const before = last.to ?? last.from;
  return (
    <>
      {last.to === null
        ? 'It was removed from the cluster at '
        : 'It was there once; the last that is recorded of it is from '}
      <Time at={last.at} />
      {before !== null && `: it was ${verdictLabel(before).toLowerCase()}`}
      {last.commit !== null && (
        <>
          {' '}
          at <Commit commit={last.commit} href={null} />
        </>
      )}
      .
    </>
  );
}
