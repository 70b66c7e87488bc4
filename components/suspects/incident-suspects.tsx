'use client';

import { SuspectSection } from './suspicion-body.tsx';
import { useSuspects, type SentSuspects } from './use-suspects.ts';

interface IncidentSuspectsProps {
  readonly id: string;
  readonly sent: SentSuspects | null;
}

/** Section of the suspects of an incident that began in a range. */
export function IncidentSuspects({ id, sent }: IncidentSuspectsProps) {
  const suspicionOf = useSuspects({ incident: id }, sent);
  return <SuspectSection known={suspicionOf(id)} />;
}
