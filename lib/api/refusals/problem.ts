import { z } from 'zod';
import { WireNotThere } from './not-there.ts';
import { WireRef } from '../object.ts';

/** RFC 9457, as every refusal comes. `type` is a name of this API under /problems/, stable; `detail` is for people. */
export const WireProblem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  detail: z.string(),
  /** The parameter that is wrong. */
  parameter: z.string().optional(),
  /** Names that were asked for and that nothing has. */
  notThere: z.array(WireNotThere).optional(),
  /** Objects whose names are near to that of one that is not there. */
  nearest: z.array(WireRef).optional(),
  /** RFC 3339: since when there is a record; null where there is none. */
  since: z.string().nullable().optional(),
  /** Under which the log tells more of a fault of Plumbline. */
  id: z.string().optional(),
});
export type WireProblem = z.infer<typeof WireProblem>;
