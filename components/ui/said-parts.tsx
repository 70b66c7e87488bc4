import type { WireSaid } from '#lib/api/object.ts';
import { PageLink } from './page-link.tsx';

/** A sentence in its pieces; each number of objects leads to the list of them. */
export function SaidParts({ parts }: { readonly parts: readonly WireSaid[] }) {
  return parts.map(({ text, href }, at) =>
    href === null ? (
      text
    ) : (
      // Pieces have no name of their own, and stand where they stand.
      <PageLink
        key={`${at} ${href}`}
        className="underline decoration-field decoration-1 underline-offset-3"
        href={href}
        prefetch={false}
      >
        {text}
      </PageLink>
    ),
  );
}
