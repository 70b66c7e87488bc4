import { z } from 'zod';
import { WireCommitName } from '../commit.ts';
import { endpoint } from '../endpoint.ts';
import { Time } from '../object.ts';
import { WireTimesNotKnown } from './times-not-known.ts';

/** Query of GET /api/v1/commit-arrivals. */
export const CommitArrivalsQuery = z.object({
  sha: z
    .string()
    .regex(/^[0-9a-f]{7,64}$/, { error: 'must be 7 to 64 hex digits of a commit' })
    .meta({ description: 'First digits of its hash, at least 7.' }),
});
export type CommitArrivalsQuery = z.infer<typeof CommitArrivalsQuery>;

/**
 * A cluster with what is recorded by the moment of the answer of the arrival of a commit there, or of the first later one that holds it. A time
 * is null where nothing is: it may have come unseen.
 */
export const WireCommitArrival = z.object({
  cluster: z.string(),
  /** When its sources were seen to offer it. */
  offeredAt: Time.nullable(),
  /** When the first object of the repository was converged at it, and the last of those that were by now; null where others followed. */
  firstAt: Time.nullable(),
  lastAt: Time.nullable(),
  notKnown: WireTimesNotKnown,
});
export type WireCommitArrival = z.infer<typeof WireCommitArrival>;

/** Answer of GET /api/v1/commit-arrivals. */
export const WireCommitArrivals = z.object({
  asOf: Time,
  commit: WireCommitName,
  /** It is dated later than the moment of the answer, by the clock of who committed it. */
  isLater: z.boolean(),
  /** Clusters with objects of its repository, by name: those where something is recorded first. */
  clusters: z.array(WireCommitArrival),
});
export type WireCommitArrivals = z.infer<typeof WireCommitArrivals>;

export const commitArrivalsApi = endpoint({
  path: '/api/v1/commit-arrivals',
  summary: 'When a commit came to each cluster, as it was recorded by a moment',
  query: CommitArrivalsQuery,
  answer: WireCommitArrivals,
  name: 'CommitArrivals',
  at: true,
});
