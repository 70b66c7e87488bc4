'use client';

import { objectApi, type WireObjectPage, neighboursApi, type WireRef, type WireObject } from '#lib/api/object.ts';
import { endpointQuery, getJson } from '../queries/endpoint-query.ts';
import { useAtParam, useLead } from '../shell/moment/moment.tsx';
import { useLivePage } from '../queries/use-live-page.ts';
import { useRouter } from 'next/navigation';
import { useRef, useEffect } from 'react';
import { clusterPath } from '#lib/api/paths.ts';
import { cameFromHere } from '../shell/came-from.ts';
import { useKeys } from '../shell/keys/keys.ts';
import { useVoice } from '../shell/live/live-region.tsx';
import { verdictLabel } from '#lib/format/verdict-label.ts';

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

/** `]` and `[` lead from deviation to deviation of the fleet, worst first; Esc leads back. */
export function useObjectKeys(object: WireRef): void {
  const router = useRouter();
  const lead = useLead();
  const at = useAtParam();
  const { announce } = useVoice();
  const asking = useRef(false);
  const jump = (to: 'next' | 'previous') => {
    if (asking.current) return;
    asking.current = true;
    const { cluster, group, kind, namespace, name } = object;
    getJson(neighboursApi, { cluster, group, kind, namespace, name, ...at }, AbortSignal.timeout(10_000))
      .then((found) => {
        const path = found[to];
        if (path === null) announce('Nothing else deviates.');
        else router.push(lead(path));
      })
      .catch(() => announce('The next deviation could not be asked for.'))
      .finally(() => {
        asking.current = false;
      });
  };
  useKeys({
    ']': () => jump('next'),
    '[': () => jump('previous'),
    Escape: () => (cameFromHere() ? router.back() : router.push(lead(clusterPath(object.cluster)))),
  });
}

/** Says when the verdict changes; at once when the object has newly become silent. */
export function useVerdictVoice(object: WireObject): void {
  const { announce, interrupt } = useVoice();
  const { verdict, sentence, alarm } = object;
  const last = useRef({ verdict, alarm: alarm.state });
  useEffect(() => {
    const before = last.current;
    last.current = { verdict, alarm: alarm.state };
    if (alarm.state === 'silent' && before.alarm !== 'silent') {
      interrupt(`${verdictLabel(verdict)}, and nobody is being called. ${sentence}`);
    } else if (verdict !== before.verdict) announce(`${verdictLabel(verdict)}. ${sentence}`);
  }, [announce, interrupt, verdict, sentence, alarm.state]);
}
