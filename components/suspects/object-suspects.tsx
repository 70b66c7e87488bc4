'use client';

import type { WireObject } from '#lib/api/object.ts';
import { objectWords } from '#lib/api/git/suspect.ts';
import { countOf } from '#lib/format/number.ts';
import { SuspectSection } from './suspicion-body.tsx';
import { useSuspects, type SentSuspects } from './use-suspects.ts';

interface ObjectSuspectsProps {
  readonly object: WireObject;
  readonly sent: SentSuspects | null;
}

/** Section of the suspects of an object that broke in a range. */
export function ObjectSuspects({ object, sent }: ObjectSuspectsProps) {
  return <SuspectSection known={useObjectSuspicion(object, sent)} />;
}

/** Number of commits of the range in which an object broke: as git counts them, and until it has told what was seen of them. */
export function CommitsBetween({ object, sent, seen }: ObjectSuspectsProps & { readonly seen: string }) {
  const known = useObjectSuspicion(object, sent);
  const commits = known.type === 'known' ? (known.suspicion?.commits ?? null) : null;
  return commits === null ? seen : `${countOf(commits, 'commit')} in this range`;
}

function useObjectSuspicion({ cluster, group, kind, namespace, name }: WireObject, sent: SentSuspects | null) {
  const words = objectWords({ cluster, group, kind, namespace, name });
  return useSuspects({ object: words }, sent)(words);
}
