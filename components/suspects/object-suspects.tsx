'use client';

import type { WireObject } from '#lib/api/object.ts';
import { objectWords } from '#lib/api/git/suspect.ts';
import { SuspectSection } from './suspicion-body.tsx';
import { useSuspects, type SentSuspects } from './use-suspects.ts';

interface ObjectSuspectsProps {
  readonly object: WireObject;
  readonly sent: SentSuspects | null;
}

/** Section of the suspects of an object that broke in a range. */
export function ObjectSuspects({ object, sent }: ObjectSuspectsProps) {
  const { cluster, group, kind, namespace, name } = object;
  const words = objectWords({ cluster, group, kind, namespace, name });
  const suspicionOf = useSuspects({ object: words }, sent);
  return <SuspectSection known={suspicionOf(words)} />;
}
