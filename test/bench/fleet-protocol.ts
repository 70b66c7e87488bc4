import { z } from 'zod';

/** Commands to the simulated fleet's process. Every answer bears the number of what it answers. */
export const FleetCommand = z.discriminatedUnion('type', [
  /** So many passes a second from now on, over the whole fleet: objects are written anew and nothing is otherwise. */
  z.object({ type: z.literal('churn'), perSecond: z.number() }),
  /** Writes a probe (a Kustomization that churn leaves alone) as failing, or as well: answered by `written` with the time. */
  z.object({
    type: z.literal('break'),
    number: z.number(),
    cluster: z.string(),
    index: z.number(),
    broken: z.boolean(),
  }),
  /** The sick alarm sources of a monitored fleet begin: one sends letters without end, one never answers. */
  z.object({ type: z.literal('sicken') }),
  /** Answered by `traffic`. */
  z.object({ type: z.literal('traffic'), number: z.number() }),
]);
export type FleetCommand = z.infer<typeof FleetCommand>;

/** At `at` (ms since the epoch) an object was written; `name` is its name. */
export const Written = z.object({
  type: z.literal('written'),
  at: z.number(),
  namespace: z.string(),
  name: z.string(),
});

/** Bytes that the API servers have sent since their start, TLS included, and how many passes were written. */
export const Traffic = z.object({ type: z.literal('traffic'), at: z.number(), sent: z.number(), writes: z.number() });

/** The fleet is up: where its configuration is, and how to read it without Plumbline. */
export const FleetReady = z.object({
  type: z.literal('ready'),
  configPath: z.string(),
  clusters: z.array(z.string()),
  objects: z.number(),
  /** A file with a `CeilingPlan`. */
  planPath: z.string(),
});
export type FleetReady = z.infer<typeof FleetReady>;

/** Plan that `ceiling.ts` reads: every kind with objects of every cluster. */
export const CeilingPlan = z.object({
  ca: z.string(),
  clusters: z.array(z.object({ url: z.string(), token: z.string(), paths: z.array(z.string()) })),
});
export type CeilingPlan = z.infer<typeof CeilingPlan>;

/** Result of the ceiling. Bytes of JSON, seconds, bytes resident at most. */
export const CeilingResult = z.object({
  type: z.literal('ceiling'),
  objects: z.number(),
  bytes: z.number(),
  seconds: z.number(),
  cpu: z.number(),
  mostResident: z.number(),
});
export type CeilingResult = z.infer<typeof CeilingResult>;
