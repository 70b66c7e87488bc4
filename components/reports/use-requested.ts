'use client';

import { parseAsString, useQueryStates } from 'nuqs';
import type { Asked } from './requested-report.ts';

const text = parseAsString.withDefault('');
const parsers = { period: text, from: text, to: text, cluster: text, label: text, group: text, kind: text };

export type ChangeRequested = (change: Partial<Asked>) => void;

/** The question in the URL and how to change it; each change is a step that the browser goes back over. */
export function useRequested(): readonly [Asked, ChangeRequested] {
  const [asked, set] = useQueryStates(parsers, { history: 'push' });
  return [asked, (change) => void set(change)];
}
