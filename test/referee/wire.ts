// The answers of the API as far as they are held against the rows. Shapes of its own: what is not named here is not looked at.
import { z } from 'zod';

export const WireRef = z.object({
  cluster: z.string(),
  group: z.string(),
  kind: z.string(),
  namespace: z.string(),
  name: z.string(),
});

/** A time on the wire as ms since the epoch. */
export const Moment = z.string().transform((text) => Date.parse(text));
export const MomentOrNull = Moment.nullable();

/** Amounts by state, without those that are nothing. */
export const Amounts = z
  .record(z.string(), z.number())
  .transform((amounts) => Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount !== 0)));
