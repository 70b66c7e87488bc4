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
const Began = z.object({ time: Moment, bound: z.enum(['exact', 'at-least']), noticedAt: Moment });

const Revision = z.object({ commit: z.string().nullable() }).nullable();

/** Between which commits something broke. */
export const SaidRange = z
  .object({ lastGood: Revision, firstBad: Revision, seenBetween: z.number().nullable(), text: z.string() })
  .nullish()
  .transform((range) => range ?? null);
export type SaidRange = z.infer<typeof SaidRange>;

export const SaidObject = Ref.extend({
  verdict: z.string(),
  was: z.string().nullable(),
  guarantee: z.string(),
  reason: z.string(),
  sentence: z.string(),
  revision: z.object({
    applied: z.string().nullable(),
    attempted: z.string().nullable(),
    offered: z.string().nullable(),
  }),
  commit: z.string().nullable(),
  commitDiffers: z.enum(['no', 'yes', 'unknown']),
  source: z.object({ name: z.string() }).nullable(),
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

export const SaidSummary = z.object({
  summary: z.object({
    guarantee: z.object({
      lead: z.string(),
      body: z.string(),
      holds: z.number(),
      broken: z.number(),
      off: z.number(),
      unknown: z.number(),
      planned: z.number(),
      declared: z.number(),
    }),
    partial: z.array(z.string()),
    counts: z.record(z.string(), z.number()),
    objects: z.number(),
    causesTotal: z.number(),
    causesObjects: z.number(),
    causes: z.array(SaidCause),
  }),
});

export const SaidObjects = z.object({ total: z.number(), objects: z.array(SaidObject) });

export const SaidAbsences = z.object({
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
export type SaidAbsence = z.infer<typeof SaidAbsences>['rows'][number];

const SaidReach = z.object({ objects: z.number(), clusters: z.number() });

export const SaidIncident = z.object({
  id: z.string(),
  title: z.string(),
  cause: Ref.extend({ type: z.string() }),
  openedAt: Moment,
  bound: z.enum(['exact', 'at-least']),
  noticedAt: Moment,
  closedAt: Moment.nullable(),
  ended: z.string().nullable(),
  worst: z.string(),
  range: SaidRange,
  now: SaidReach,
  most: SaidReach,
  returns: z.number(),
  members: z.number(),
});
export type SaidIncident = z.infer<typeof SaidIncident>;

export const SaidIncidents = z.object({ rows: z.array(SaidIncident), nextCursor: z.string().nullable() });

export const SaidMember = z.object({
  ref: Ref.nullable(),
  cluster: z.string(),
  objects: z.number(),
  from: Moment,
  bound: z.enum(['exact', 'at-least']),
  noticedAt: Moment,
  to: Moment.nullable(),
  ended: z.string().nullable(),
  verdict: z.string(),
});
export type SaidMember = z.infer<typeof SaidMember>;

export const SaidIncidentPage = z.object({
  incident: SaidIncident,
  members: z.array(SaidMember),
  steps: z.array(z.object({ type: z.string(), at: Moment, objects: z.number() })),
  nextCursor: z.string().nullable(),
});

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
  figures: z.object({
    absences: z.object({
      opened: z.number(),
      openAtStart: z.number(),
      closed: z.number(),
      gone: z.number(),
      open: z.number(),
    }),
    changes: z.object({ suspended: z.number(), resumed: z.number() }),
  }),
});

export const SaidTransitions = z.object({
  transitions: z.array(
    z.object({
      ref: Ref,
      at: Moment,
      noticedAt: Moment,
      to: z.string().nullable(),
      commit: z.string().nullable(),
    }),
  ),
  nextCursor: z.string().nullable(),
});

export const SaidChanges = z.object({
  from: Moment,
  to: Moment,
  changes: z.array(
    z.object({
      cluster: z.string(),
      ref: Ref.nullable(),
      type: z.string(),
      at: Moment,
      notBefore: Moment,
      revision: z.object({ from: Revision, to: Revision }).nullable(),
    }),
  ),
  more: z.boolean(),
});

export const SaidArrivals = z.object({
  arrivals: z.array(
    z.object({
      cluster: z.string(),
      commit: z.string(),
      offeredAt: Moment.nullable(),
      firstAt: Moment,
      lastAt: Moment,
      objects: z.number(),
      tookMs: z.number().nullable(),
    }),
  ),
});
