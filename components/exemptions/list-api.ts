import { api } from '#lib/api/paths.ts';
import type { Tab } from './ownership-filter.ts';

/** The API behind each list. */
export const listApi: Readonly<Record<Tab, string>> = { exemptions: api.exemptions, conflicts: api.conflicts };
