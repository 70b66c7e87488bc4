import type { WireObject } from '#lib/api/object.ts';
import { verdictLabel } from '#lib/format/verdict-label.ts';
import { OfKind } from '../ui/of-kind.tsx';
import { PageLink as Link } from '../ui/page-link.tsx';
import { whatText } from '../ui/tables/object-row.tsx';
import { Duration } from '../ui/time.tsx';
import { VerdictGlyph } from '../ui/verdict-glyph.tsx';

/** The one object that labels lead to: its verdict, since when, and the way to its page. */
export function FoundObject({ object }: { readonly object: WireObject }) {
  const { verdict, name, cluster, onset, links } = object;
  const what = whatText(object);
  return (
    <>
      <p className="go-found">
        <span className="whitespace-nowrap">
          <VerdictGlyph verdict={verdict} /> {verdictLabel(verdict)}
        </span>
        <Link className="link font-medium [overflow-wrap:anywhere]" href={links.self} prefetch={false}>
          {name} on {cluster}
        </Link>
        <OfKind of={object} />
        <span className="text-mute">
          for <Duration since={onset.time} bound={onset.bound} />
        </span>
      </p>
      {what !== '' && <p className="mt-1 max-w-[74ch] [overflow-wrap:anywhere]">{what}</p>}
    </>
  );
}
