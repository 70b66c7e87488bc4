'use client';

import { useQuery } from '@tanstack/react-query';
import { lagApi, type WireLag, type WireLagList } from '#lib/api/commit.ts';
import type { WireObject } from '#lib/api/object.ts';
import { refParams } from '#lib/api/paths.ts';
import type { Lag } from '#lib/domain/commit/lag.ts';
import { minute, second } from '#lib/domain/time/length.ts';
import { parseTime } from '#lib/format/time.ts';
import { useMoment } from '../shell/moment/moment.tsx';
import { endpointQuery } from './endpoint-query.ts';

/** Lag of one object at the commit that it is shown to run, and when the mirror was fetched that it is told by. */
interface ShownLag {
  readonly lag: WireLag;
  readonly mirroredAt: string | null;
}

/** Lag of an object, asked for again as the mirrors are fetched; null while it is not told, of what has no path, and in the past. */
export function useObjectLag(object: WireObject): ShownLag | null {
  const past = useMoment() !== null;
  const has = !past && object.path !== null && object.role === 'applier';
  const own = (list: WireLagList | undefined) => list?.lags.find(({ runs }) => runs === object.commit);
  const { data } = useQuery({
    ...endpointQuery(lagApi, refParams(object)),
    enabled: has,
    // Another commit came since: its lag is another one.
    refetchInterval: ({ state }) => (state.data !== undefined && own(state.data) === undefined ? 3 * second : minute),
  });
  const lag = own(data);
  if (!has || lag === undefined) return null;
  return { lag, mirroredAt: data?.repositories[0]?.mirroredAt ?? null };
}

/** Lags on one cluster, asked for again as the mirrors are fetched; undefined while they are not told, and in the past. */
export function useClusterLag(cluster: string): WireLagList | undefined {
  const past = useMoment() !== null;
  const { data } = useQuery({
    ...endpointQuery(lagApi, { cluster }),
    enabled: !past,
    refetchInterval: minute,
  });
  return past ? undefined : data;
}

/** A lag as its sentence is made of it. */
export function lagOf({ commits, touching, atLeast, oldest, branch, why }: WireLag): Lag {
  if (commits === null || touching === null) return { type: 'unknown', why: why ?? 'not-told', branch };
  const oldestAt = oldest === null ? null : parseTime(oldest.at);
  return { type: 'known', branch: branch ?? '', commits, touching, atLeast, oldestAt };
}
