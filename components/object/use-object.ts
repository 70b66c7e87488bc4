'use client';

import type { WireObjectPage } from '#lib/api/object.ts';
import { objectQuery } from '../queries/object.ts';
import { useAtParam } from '../shell/moment/moment.tsx';
import { useLivePage } from '../queries/use-live-page.ts';

/** The object as it came with the page, kept current by the stream: its own changes at once, what surrounds it right after. */
export function useObject(sent: WireObjectPage) {
  return useLivePage({
    options: objectQuery(sent.object, useAtParam()),
    sent,
    pause: 1000,
    ticks: 6,
    take(page, frame) {
      if (frame.type !== 'object') return null;
      return { page: { ...page, object: frame.object, message: frame.object.message }, again: true };
    },
  });
}
