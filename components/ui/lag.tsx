'use client';

import type { WireLag } from '#lib/api/commit.ts';
import { commitPath, commitsPath } from '#lib/api/paths.ts';
import { lagParts } from '#lib/format/git/lag-text.ts';
import { lagOf } from '../queries/use-lag.ts';
import { useNow } from './now.tsx';
import { PageLink } from './page-link.tsx';
import { Duration } from './time.tsx';

/** Distance of an object behind its branch: its numbers lead to the commits that touch its path, and to the oldest of them. */
export function LagText({ lag }: { readonly lag: WireLag }) {
  const now = useNow();
  const { repository, branch, path, oldest } = lag;
  return lagParts(lagOf(lag), now).map(({ text, to }, at) => {
    if (to === null) return text;
    const href = to === 'touching' ? commitsPath({ repository, branch: branch ?? '', path }) : oldestPath(oldest);
    return (
      // Pieces have no name of their own, and stand where they stand.
      <PageLink
        key={`${at}`}
        className="link"
        href={href}
        title={to === 'oldest' ? oldest?.subject : undefined}
        prefetch={false}
      >
        {text}
      </PageLink>
    );
  });
}

function oldestPath(oldest: WireLag['oldest']): string {
  return oldest === null ? commitsPath() : commitPath(oldest.sha);
}

/** Age of the mirror that a lag is told by. */
export function MirrorAge({ at }: { readonly at: string | null }) {
  if (at === null) return null;
  return (
    <>
      mirror fetched <Duration since={at} /> ago
    </>
  );
}
