import { causeTitle } from '#lib/domain/cause/cause.ts';
import type { Member } from '#lib/domain/incident/incident.ts';
import type { CsvColumns } from '../wire/lists/csv.ts';
import { wireTime, wireTimeOrNull } from '../wire/wire-time.ts';

/** The columns of a member as known at `now` (ms); of a cluster as a whole only that is named. `seconds` is up to then where it lasts. */
export function memberColumnsAt(now: number): CsvColumns<Member> {
  return {
    incident: ({ incident }) => incident,
    cluster: ({ cluster }) => cluster,
    group: ({ ref }) => ref?.group ?? null,
    kind: ({ ref }) => ref?.kind ?? null,
    namespace: ({ ref }) => ref?.namespace ?? null,
    name: ({ ref }) => ref?.name ?? null,
    objects: ({ objects }) => objects,
    from: ({ from }) => wireTime(from),
    bound: ({ bound }) => bound,
    noticedAt: ({ noticedAt }) => wireTime(noticedAt),
    to: ({ to }) => wireTimeOrNull(to),
    ended: ({ ended }) => ended,
    seconds: ({ from, to }) => Math.floor(((to ?? now) - from) / 1000),
    verdict: ({ verdict }) => verdict,
    reason: ({ reason }) => reason,
    own: ({ own }) => String(own),
    cause: ({ own, cause }) => (own ? null : causeTitle(cause)),
  };
}
