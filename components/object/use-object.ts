'use client';

import { objectApi, type WireObjectPage } from '#lib/api/object.ts';
import { endpointQuery } from '../queries/endpoint-query.ts';
import { useAtParam } from '../shell/moment/moment.tsx';
import { useLivePage } from '../queries/use-live-page.ts';

/** The object as it came with the page, kept current by the stream: its own changes at once, what surrounds it right after. */
export function useObject(sent: WireObjectPage) {
  const { cluster, group, kind, namespace, name } = sent.object;
  return useLivePage({
    options: endpointQuery(objectApi, { cluster, group, kind, namespace, name, ...useAtParam() }),
    sent,
    pause: 1000,
    ticks: 6,
    take(page, frame) {
      if (frame.type !== 'object') return null;
      return { page: { ...page, object: frame.object, message: frame.object.message }, again: true };
    },
  });
}
