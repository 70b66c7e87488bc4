'use client';

import { createContext, useContext } from 'react';
import type { Moment } from '#lib/api/moment.ts';
import { pathAt } from '#lib/api/paths.ts';

/** Moment that a page shows: a past one, or the present (null). */
export const MomentContext = createContext<Moment | null>(null);

/** The past moment that the page shows; null where it shows the present. */
export function useMoment(): Moment | null {
  return useContext(MomentContext);
}

/** Leads to other pages at the moment that this one shows. */
export function useLead(): (path: string) => string {
  const at = useMoment()?.at ?? null;
  return (path) => pathAt(path, at);
}

/** The moment as a parameter of the API; nothing for the present. */
export function useAtParam(): { readonly at?: string } {
  const moment = useMoment();
  return moment === null ? {} : { at: moment.at };
}
