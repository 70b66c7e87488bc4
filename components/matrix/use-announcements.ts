'use client';

import { useEffect, useRef } from 'react';
import type { WireFleet } from '#lib/api/fleet.ts';
import { useVoice } from '../shell/live/live-region.tsx';

/** Says the sentence when it changes, and at once when an object has newly become silent. */
export function useAnnouncements(fleet: WireFleet): void {
  const { announce, interrupt } = useVoice();
  const { guarantee, causes } = fleet.head;
  const sentence = `${guarantee.lead} ${guarantee.head}`.trim();
  const heard = useRef({ sentence, broken: guarantee.broken });
  useEffect(() => {
    const before = heard.current;
    heard.current = { sentence, broken: guarantee.broken };
    if (guarantee.broken > before.broken) {
      const silent = causes.find((cause) => cause.alarm === 'silent');
      interrupt(
        silent === undefined ? sentence : `${silent.title}: ${silent.verdict}, and nobody was called. ${sentence}`,
      );
    } else if (sentence !== before.sentence) announce(sentence);
  }, [announce, interrupt, sentence, guarantee.broken, causes]);
}
