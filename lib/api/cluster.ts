import { z } from 'zod';
import { Bound, ClusterStateName, Time, VerdictName, WireFiltered, WireObject, WireSaid } from './object.ts';
import { endpoint, NoQuery } from './endpoint.ts';
import { recordShape, searchText } from './params.ts';

/** One kind on one cluster as it is being read. Forbidden, absent, failed and live-but-empty are four different things. */
export const WireFeed = z.object({
  group: z.string(),
  kind: z.string(),
  version: z.string().nullable(),
  state: z.enum(['syncing', 'live', 'silent', 'idle', 'forbidden', 'absent', 'failed']),
  since: Time,
  reason: z.string().nullable(),
  lastWordAt: Time.nullable(),
  objects: z.number(),
});
export type WireFeed = z.infer<typeof WireFeed>;

/** One controller by its lease and its Deployment. */
export const WireController = z.object({
  namespace: z.string(),
  name: z.string(),
  lease: z.string().nullable(),
  state: z.enum(['alive', 'dead', 'unknown']),
  lastMovedAt: Time.nullable(),
  durationSeconds: z.number().nullable(),
  holder: z.string().nullable(),
  transitions: z.number().nullable(),
  version: z.string().nullable(),
  deployment: z.enum(['available', 'unavailable', 'scaled-to-zero', 'unknown']),
  /** Number of objects that depend on it; null where that is not told: to who sees a part of them. */
  objects: z.number().nullable(),
});
export type WireController = z.infer<typeof WireController>;

/**
 * One cluster. `state` is as known at `asOf`: a collector that is gone makes it `unobserved`; `declared` is no cluster but a row
 * for stacks that plumbline.yaml declares.
 */
export const WireCluster = z.object({
  name: z.string(),
  labels: z.record(z.string(), z.string()),
  state: ClusterStateName,
  /** Since when it is live, or is not seen; `at-least` where nothing was ever received of it. */
  since: Time,
  bound: Bound,
  reason: z.string().nullable(),
  protocol: z.enum(['h2', 'http/1.1']).nullable(),
  version: z.string().nullable(),
  lastWordAt: Time.nullable(),
  feeds: z.array(WireFeed),
  /** By how much its clock is ahead of Plumbline's (ms; negative where it is behind), by the Date of its answers; null where that is not known. */
  clockAheadMs: z.number().nullable(),
  /** Weaknesses of how it is reached, named and read, a sentence each: no TLS verified, a name that two want, more Alerts than are kept. */
  cautions: z.array(z.string()),
  /** Kinds without objects that are probed in turn, not watched, and the longest that one of them has waited for its probe of late (ms). */
  probes: z.object({ kinds: z.number(), longestMs: z.number() }).nullable(),
  /** Served kinds of reconcilers' API groups that are not read: known and not judged, with the reason, or (null) not known to Plumbline. */
  unread: z.array(z.object({ group: z.string(), kind: z.string(), why: z.string().nullable() })),
  controllers: z.array(WireController),
  objects: z.number(),
  counts: z.record(VerdictName, z.number()),
  /** Number of the unobserved that are only declared, and never are observed. */
  declared: z.number(),
  /** The worst of what can be observed; null where there is nothing of the kind. */
  worst: VerdictName.nullable(),
  /** Planned work under way (policy.maintenance); `objects`: how many there are away or stale, counted apart. */
  plannedWork: z.object({ until: Time, reason: z.string(), objects: z.number() }).nullable(),
  links: z.object({ self: z.string() }),
});
export type WireCluster = z.infer<typeof WireCluster>;

/** Answer of GET /api/v1/clusters. */
export const WireClusterList = z.object({ asOf: Time, clusters: z.array(WireCluster) });
export type WireClusterList = z.infer<typeof WireClusterList>;

/** Which objects of a cluster (query of GET /api/v1/clusters/{cluster}), '' meaning "any". */
export const ClusterScope = z.object({
  kind: z.string().default(''),
  namespace: recordShape.namespace,
  q: searchText.meta({ description: 'Free text over folder, kind, namespace, name, reason and commit.' }),
});
export type ClusterScope = z.infer<typeof ClusterScope>;

/** Everything the page of one cluster shows (GET /api/v1/clusters/{cluster}). */
export const WireClusterPage = z.object({
  asOf: Time,
  sentence: z.string(),
  /** The sentence once more, in pieces. */
  said: z.array(WireSaid),
  /** Truth of the sentence for what the filter keeps; `empty` where that is nothing. */
  truth: z.enum(['holds', 'broken', 'unknown', 'empty']),
  /** Filter of sentence, counts and objects, and what of the rest here is as bad or worse; null where they are of all. */
  filter: WireFiltered.nullable(),
  /** Objects of each verdict that the filter keeps. */
  counts: z.record(VerdictName, z.number()),
  /** Number of these unobserved that are only declared. */
  declared: z.number(),
  /** Values to filter by, whatever the filter; "-" for no namespace. */
  offer: z.object({ kinds: z.array(z.string()), namespaces: z.array(z.string()) }),
  cluster: WireCluster,
  /** The objects that the filter keeps, worst first; cut at 2,000 with `total` telling how many there are. */
  objects: z.array(WireObject),
  total: z.number(),
  /** source -> applier -> resource, as keys cluster/group/kind/namespace/name. */
  edges: z.array(
    z.object({
      from: z.string(),
      to: z.string(),
      relation: z.enum(['source', 'delivery', 'dependency', 'composition', 'provider']),
    }),
  ),
});
export type WireClusterPage = z.infer<typeof WireClusterPage>;

export const clustersApi = endpoint({
  path: '/api/v1/clusters',
  summary: 'All clusters',
  query: NoQuery,
  answer: WireClusterList,
  name: 'ClusterList',
  at: true,
});

export const clusterApi = endpoint({
  path: '/api/v1/clusters/{name}',
  summary: 'One cluster with its objects',
  query: ClusterScope.extend({ name: z.string() }),
  answer: WireClusterPage,
  name: 'ClusterPage',
  at: true,
});
