import { z } from 'zod';
import { Time, WireCause, WireTransition } from './object.ts';
import { endpoint } from './endpoint.ts';
import { pageShape, periodShape, recordShape } from './params.ts';

/** Query of GET /api/v1/transitions: changes of verdict by when they were noticed. */
export const TransitionsQuery = z.object({
  cluster: recordShape.cluster,
  ...periodShape,
  ...pageShape(1000, 200),
});
export type TransitionsQuery = z.infer<typeof TransitionsQuery>;

/** One change of verdict with what lay behind it. A message that is not kept any more is ''. */
export const WireNotedTransition = WireTransition.extend({ rootCause: WireCause.nullable() });
export type WireNotedTransition = z.infer<typeof WireNotedTransition>;

/** Answer of GET /api/v1/transitions, newest first. */
export const WireTransitionList = z.object({
  asOf: Time,
  from: Time,
  to: Time,
  transitions: z.array(WireNotedTransition),
  nextCursor: z.string().nullable(),
});
export type WireTransitionList = z.infer<typeof WireTransitionList>;

export const transitionsApi = endpoint({
  path: '/api/v1/transitions',
  summary: 'Changes of verdict by when they were noticed, newest first',
  query: TransitionsQuery,
  answer: WireTransitionList,
  name: 'TransitionList',
  at: false,
});
