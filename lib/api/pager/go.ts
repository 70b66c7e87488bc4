import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { WireIncident } from '../incident.ts';
import { Time, WireObject, WireRef, WireTransition } from '../object.ts';

/** Query of GET /api/v1/go: when, and the labels of an alert, one by one or in one text. */
export const GoQuery = z
  .object({
    at: z.string().default('').meta({
      description:
        'When the alert fired: RFC 3339, seconds since the epoch (also with decimals), or ms since the epoch. Now where absent; where it cannot be read or is not in the past, the answer says so and is of now.',
    }),
    startsAt: z.string().default('').meta({ description: 'The same, where `at` is absent.' }),
    labels: z.string().default('').meta({
      description:
        'Labels in one text: Prometheus matchers {a="b",c="d"}, map[a:b c:d], a JSON object, lines or a list with commas a=b.',
    }),
  })
  .catchall(
    z.string().meta({
      description:
        'Any label of an alert; its fingerprint, which is looked up. The object is named by cluster; customresource_group, group; customresource_kind, kind, exported_kind; exported_namespace, namespace; exported_name, name, resource: of each the first that is there. At most 64 labels of 1,024 characters.',
    }),
  );
export type GoQuery = z.infer<typeof GoQuery>;

/** Results of looking for an object: one by all that was named; one by an assumption; several; none. */
export const goOutcomes = ['exact', 'inferred', 'several', 'none'] as const;

/** A link in words. */
const WireWay = z.object({ text: z.string(), href: z.string() });
export type WireWay = z.infer<typeof WireWay>;

/** An object that is not there, with the last change that is recorded of it. */
const WireRecorded = z.object({ ref: WireRef, last: WireTransition });
export type WireRecorded = z.infer<typeof WireRecorded>;

/** Answer of GET /api/v1/go. */
export const WireGo = z.object({
  asOf: Time,
  /** The past moment that this is told of; null for now. */
  at: Time.nullable(),
  /** Said where the time that was given is not the moment that this is told of. */
  timeNote: z.string().nullable(),
  outcome: z.enum(goOutcomes),
  /** The result in words. */
  sentence: z.string(),
  /** Everything that was left out or guessed, a sentence each. */
  assumed: z.array(z.string()),
  /** Everything of what was given that is not read, a sentence each. */
  unread: z.array(z.string()),
  /** Labels as they were read. */
  given: z.array(z.object({ name: z.string(), value: z.string() })),
  /** Labels that were found beside those given: of the alert that a fingerprint names, the cluster as an alarm source names it. */
  found: z.array(z.object({ name: z.string(), value: z.string() })),
  /** A sentence on each thing that was looked up: how it was found, or why a fingerprint was not. */
  foundBy: z.array(z.string()),
  /** Path that a link with these labels leads to without a stop; null where it stops at what stands here. */
  target: z.string().nullable(),
  /** Objects that fit, worst first, at most 50; `total`: how many there are. */
  objects: z.array(WireObject),
  total: z.number(),
  /** Where none fits: what is known of each part that was named, and why it may not be found. */
  known: z.array(z.string()),
  /** Where none fits: objects that may have been meant. */
  nearest: z.array(WireRef),
  /** Where none fits: objects that fit and were there at another time. */
  recorded: z.array(WireRecorded),
  /** Where none fitted at a past moment: objects that fit now, at most 50. */
  thereNow: z.array(WireRef),
  /** Where none fits: incidents around that time, the newest 5 at most; null where they cannot be read. */
  incidents: z.array(WireIncident).nullable(),
  /** The cluster that they are on; null for all clusters. */
  incidentsOn: z.string().nullable(),
  /** Pages to go on from. */
  ways: z.array(WireWay),
});
export type WireGo = z.infer<typeof WireGo>;

export const goApi = endpoint({
  path: '/api/v1/go',
  summary: 'The object that the labels of an alert name, at the time of the page',
  query: GoQuery,
  answer: WireGo,
  name: 'Go',
  at: false,
});
