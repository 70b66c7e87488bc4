import { z } from 'zod';

/** Orders of a test to the simulated fleet. Clusters and Kustomizations by name, kinds as `helmreleases.helm.toolkit.fluxcd.io`. */
export const FleetOrder = z.discriminatedUnion('order', [
  /** The build of a Kustomization fails from now on. */
  z.object({ order: z.literal('break'), cluster: z.string(), kustomization: z.string(), message: z.string() }),
  z.object({ order: z.literal('mend'), cluster: z.string(), kustomization: z.string() }),
  /** Somebody switches a Kustomization off, with a field manager of that name. */
  z.object({ order: z.literal('suspend'), cluster: z.string(), kustomization: z.string(), manager: z.string() }),
  /** A commit to the overlay of a component on one cluster; every cluster's source learns of it at once. With `breaks` its build fails there. */
  z.object({
    order: z.literal('commit'),
    cluster: z.string(),
    component: z.string(),
    subject: z.string(),
    breaks: z.string().optional(),
  }),
  /** A controller of Flux is upgraded. */
  z.object({ order: z.literal('upgrade'), cluster: z.string(), controller: z.string() }),
  /** The API server of a cluster cannot be reached any more, or again. */
  z.object({ order: z.literal('lose'), cluster: z.string() }),
  z.object({ order: z.literal('regain'), cluster: z.string() }),
  /** The account may not list a kind on a cluster. */
  z.object({ order: z.literal('forbid'), cluster: z.string(), kind: z.string() }),
  /** Somebody deletes an object. */
  z.object({
    order: z.literal('remove'),
    cluster: z.string(),
    kind: z.string(),
    namespace: z.string(),
    name: z.string(),
  }),
  /** Writes an object as somebody with kubectl could, of one of the kinds that every simulated cluster serves. */
  z.object({
    order: z.literal('plant'),
    cluster: z.string(),
    kind: z.string(),
    object: z.looseObject({
      metadata: z.strictObject({
        name: z.string(),
        namespace: z.string(),
        generation: z.number().default(1),
        labels: z.record(z.string(), z.string()).default({}),
        annotations: z.record(z.string(), z.string()).default({}),
      }),
    }),
  }),
]);
export type FleetOrder = z.infer<typeof FleetOrder>;
/** An order as a test writes it. */
export type WrittenOrder = z.input<typeof FleetOrder>;

/** An order on its way to the fleet's process, numbered so that its end can be told. */
export const NumberedOrder = z.object({ id: z.number(), what: FleetOrder });

/** Words of the fleet's process. */
export const FleetWord = z.union([
  z.object({ ready: z.literal(true), configPath: z.string() }),
  z.object({ done: z.number() }),
  z.object({ failed: z.number(), why: z.string() }),
]);
