'use client';

import { useQuery } from '@tanstack/react-query';
import { suspectsApi, type WireSuspects, type WireSuspicion } from '#lib/api/git/suspect.ts';
import { endpointQuery } from '../queries/endpoint-query.ts';
import { useAtParam } from '../shell/moment/moment.tsx';

/** Rows as the server sent them with the page, and what they answer; null where it sent none. */
export interface SentSuspects {
  readonly params: Readonly<Record<string, string>>;
  readonly answer: WireSuspects | null;
}

/** A mirror may have been fetched meanwhile. */
const again = 60_000;
/** An answer that git did not give in time it has often found a little later. */
const soon = 3_000;

/** Conclusion on a range, or why there is none yet. */
export type KnownSuspicion =
  | { readonly type: 'loading' }
  | { readonly type: 'failed' }
  | { readonly type: 'known'; readonly suspicion: WireSuspicion | null };

/** Suspects of what is asked, asked for apart from the page: a slow git delays nothing else. Gives that of each by its name. */
export function useSuspects(
  asked: { readonly incident: string } | { readonly object: string },
  sent: SentSuspects | null = null,
): (of: string) => KnownSuspicion {
  const at = useAtParam();
  const params = { ...asked, ...at };
  const names = Object.values(asked).join('');
  const came = sent !== null && JSON.stringify(sent.params) === JSON.stringify(params) ? sent.answer : null;
  const { data, isError } = useQuery({
    ...endpointQuery(suspectsApi, params),
    enabled: names !== '',
    ...(came === null ? {} : isLate(came) ? { placeholderData: came } : { initialData: came }),
    refetchInterval: ({ state }) => (state.data !== undefined && isLate(state.data) ? soon : again),
  });
  return (of) => {
    const row = data?.rows.find((one) => one.of === of);
    if (row !== undefined) return { type: 'known', suspicion: row.suspicion };
    return { type: isError ? 'failed' : 'loading' };
  };
}

function isLate({ rows }: WireSuspects): boolean {
  return rows.some(({ suspicion }) => suspicion?.late === true);
}
