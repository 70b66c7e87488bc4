'use client';

import { parseAsStringLiteral, useQueryState } from 'nuqs';

/** Look of the fleet, as it stands in the URL: `wall` for a screen on the wall, null for the page. */
export function useLook(): 'wall' | null {
  const [look] = useQueryState('view', parseAsStringLiteral(['wall']));
  return look;
}
