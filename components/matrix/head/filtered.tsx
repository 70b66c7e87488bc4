import type { WireFiltered } from '#lib/api/object.ts';
import { PageLink } from '../../ui/page-link.tsx';
import { useLook } from '../use-look.ts';
import { paramsOf, unfiltered, useView } from '../view-state.ts';

/** Filter of the page, and what of the rest is as bad or worse, with the way to the whole fleet or its wall; nothing where it shows all. */
export function Filtered({ filter }: { readonly filter: WireFiltered | null }) {
  const [view] = useView();
  const look = useLook();
  if (filter === null) return null;
  const query = new URLSearchParams({
    ...paramsOf(unfiltered(view)),
    ...(look === 'wall' ? { view: look } : {}),
  }).toString();
  return (
    <p className="hero-filter">
      Filtered by <b>{filter.text}</b>.{' '}
      <PageLink className="link" href={query === '' ? '/' : `/?${query}`} prefetch={false}>
        {filter.outside}
      </PageLink>
    </p>
  );
}
