// What pages and API say, as far as a judge looks at it.
import { z } from 'zod';

const Ref = z.object({
  cluster: z.string(),
  group: z.string(),
  kind: z.string(),
  namespace: z.string(),
  name: z.string(),
});
const Moment = z.string().transform((text) => Date.parse(text));
const Began = z.object({ time: Moment, bound: z.enum(['exact', 'at-least']) });

const Revision = z.object({ commit: z.string().nullable() }).nullable();

/** Between which commits something broke. */
export const SaidRange = z
  .object({ lastGood: Revision, firstBad: Revision, seenBetween: z.number().nullable(), text: z.string() })
  .nullish()
  .transform((range) => range ?? null);
export type SaidRange = z.infer<typeof SaidRange>;

export const SaidObject = Ref.extend({
  verdict: z.string(),
  sentence: z.string(),
  onset: Began,
  awaySince: Began.nullable(),
  rootCause: Ref.extend({ type: z.string() }).nullable(),
  role: z.string(),
  range: SaidRange,
});
export type SaidObject = z.infer<typeof SaidObject>;

export const SaidCause = z.object({
  verdict: z.string(),
  cause: Ref.extend({ type: z.string(), title: z.string() }),
  text: z.string(),
  objects: z.number(),
  clusters: z.number(),
  since: Moment,
  bound: z.enum(['exact', 'at-least']),
});
export type SaidCause = z.infer<typeof SaidCause>;

export const SaidHead = z.object({
  head: z.object({
    counts: z.record(z.string(), z.number()),
    objects: z.number(),
    causesTotal: z.number(),
    causes: z.array(SaidCause),
  }),
});

export const SaidObjects = z.object({ total: z.number(), objects: z.array(SaidObject) });

export const SaidIncidents = z.object({
  rows: z.array(
    z.object({
      ref: Ref,
      openedAt: Moment,
      bound: z.enum(['exact', 'at-least']),
      noticedAt: Moment,
      closedAt: Moment.nullable(),
      worst: z.string(),
      range: SaidRange,
    }),
  ),
  nextCursor: z.string().nullable(),
});
export type SaidIncident = z.infer<typeof SaidIncidents>['rows'][number];

export const SaidHistory = z.object({
  lanes: z.array(
    z.object({
      key: z.string(),
      rows: z.array(z.object({ from: Moment, to: Moment, state: z.string() })),
      rowsTotal: z.number(),
    }),
  ),
});

export const SaidPage = z.object({
  object: SaidObject,
  transitions: z.array(z.object({ at: Moment, noticedAt: Moment, to: z.string().nullable() })),
  before: z
    .object({
      changes: z.array(
        z.object({
          type: z.string(),
          at: Moment,
          notBefore: Moment,
          revision: z.object({ to: Revision }).nullable(),
        }),
      ),
    })
    .nullable(),
});

export const SaidReport = z.object({
  figures: z.object({ incidents: z.object({ opened: z.number(), closed: z.number(), open: z.number() }) }),
});
