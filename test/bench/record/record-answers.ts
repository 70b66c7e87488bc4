import { z } from 'zod';

/** Questions about moments of which none was asked for before. The first reads what is the same at all of them. */
const Moments = z.object({ first: z.number(), p50: z.number(), p99: z.number() });

/** Times (ms) that the answers of a record took, asked by a process that did nothing before. */
export const RecordAnswers = z.object({
  report: z.object({
    cold: z.number(),
    month: z.number(),
    first: z.number(),
    /** The least of some, as those behind it. */
    again: z.number(),
    written: z.number(),
    comparedFirst: z.number(),
    compared: z.number(),
    odd: z.number(),
  }),
  /** For how long at most the thread that asks, which serves pages, stood still meanwhile. */
  longestQuestion: z.number(),
  timeline: z.object({ p50: z.number(), p99: z.number() }),
  /** The fleet as it was read, and the matrix as a page asks for it, with all that is made of what was read. */
  past: Moments,
  matrix: Moments,
});
export type RecordAnswers = z.infer<typeof RecordAnswers>;
