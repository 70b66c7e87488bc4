'use client';

import { createContext, useContext, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { startAnnouncer, type Announcer } from './announcer.ts';

interface Voice {
  /** At the next pause, at most one in 30 s. */
  readonly announce: (text: string) => void;
  /** At once; for a new silent object and nothing else. */
  readonly interrupt: (text: string) => void;
}

const VoiceContext = createContext<Voice>({ announce: () => {}, interrupt: () => {} });

/** Speaks to those who hear the page. */
export function useVoice(): Voice {
  return useContext(VoiceContext);
}

/** Says a sentence of the page whenever it has become another. */
export function useSaidAloud(sentence: string): void {
  const { announce } = useVoice();
  const last = useRef(sentence);
  useEffect(() => {
    if (last.current === sentence) return;
    last.current = sentence;
    announce(sentence);
  }, [announce, sentence]);
}

/** The page's one polite and one assertive live region. */
export function LiveRegion({ children }: { readonly children: ReactNode }) {
  const [polite, setPolite] = useState('');
  const [urgent, setUrgent] = useState('');
  const announcer = useRef<Announcer | null>(null);
  useEffect(() => {
    const started = startAnnouncer({
      now: () => Date.now(),
      after(delay, task) {
        const timer = setTimeout(task, delay);
        return { cancel: () => clearTimeout(timer) };
      },
      say: setPolite,
    });
    announcer.current = started;
    return () => started.stop();
  }, []);
  const voice = useMemo(
    (): Voice => ({ announce: (text) => announcer.current?.announce(text), interrupt: setUrgent }),
    [],
  );
  return (
    <VoiceContext value={voice}>
      {children}
      <output className="sr-only" aria-live="polite">
        {polite}
      </output>
      <div className="sr-only" role="alert" aria-live="assertive">
        {urgent}
      </div>
    </VoiceContext>
  );
}
