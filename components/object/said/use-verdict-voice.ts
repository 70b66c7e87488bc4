'use client';

import { useEffect, useRef } from 'react';
import type { WireObject } from '#lib/api/object.ts';
import { verdictLabel } from '#lib/format/verdict-label.ts';
import { useVoice } from '../../shell/live/live-region.tsx';

/** Says when the verdict changes; at once when the object has newly become silent. */
export function useVerdictVoice(object: WireObject): void {
  const { announce, interrupt } = useVoice();
  const { verdict, sentence, alarm } = object;
  const heard = useRef({ verdict, alarm: alarm.state });
  useEffect(() => {
    const before = heard.current;
    heard.current = { verdict, alarm: alarm.state };
    if (alarm.state === 'silent' && before.alarm !== 'silent') {
      interrupt(`${verdictLabel(verdict)}, and nobody was called. ${sentence}`);
    } else if (verdict !== before.verdict) announce(`${verdictLabel(verdict)}. ${sentence}`);
  }, [announce, interrupt, verdict, sentence, alarm.state]);
}
