'use client';

import { useRouter } from 'next/navigation';
import { useRef } from 'react';
import { neighboursApi, type WireRef } from '#lib/api/object.ts';
import { clusterPath } from '#lib/api/paths.ts';
import { getJson } from '../queries/get-json.ts';
import { cameFromHere } from '../shell/came-from.ts';
import { useKeys } from '../shell/keys/keys.ts';
import { useVoice } from '../shell/live/live-region.tsx';
import { useAtParam, useLead } from '../shell/moment/moment.tsx';

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
