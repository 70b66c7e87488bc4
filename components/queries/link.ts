import { queryOptions } from '@tanstack/react-query';
import { linkApi, type EmbedTheme } from '#lib/api/embed.ts';
import { getJson } from './get-json.ts';

/** What links are asked for: a scope as `scopeText` writes it, how they are painted, and for how many days they open. */
export interface LinkWish {
  readonly scope: string;
  readonly theme: EmbedTheme;
  readonly days: '30' | '90' | '365';
}

/** Signed links of a scope. */
export function linkQuery(wish: LinkWish) {
  return queryOptions({
    queryKey: ['link', new URLSearchParams({ ...wish }).toString()],
    queryFn: ({ signal }) => getJson(linkApi, { ...wish }, signal),
    // Keys are made and revoked meanwhile.
    staleTime: 0,
  });
}
