import type { Observation } from '#lib/domain/observation/observation.ts';

/** The loop that turns for some objects: their controller, in one namespace and for one shard. One value for all of them. */
export interface Loop {
  readonly controller: string;
  readonly namespace: string;
  readonly shard: string | null;
  /** Number of objects it turns for. */
  objects: number;
}

/** The loops of one cluster, counted as objects come and go: no object is unpacked to be counted. */
export type Loops = ReturnType<typeof createLoops>;

/** Starts without any. */
export function createLoops() {
  const loops = new Map<string, Loop>();

  function leave(loop: Loop | null): void {
    if (loop === null) return;
    loop.objects -= 1;
    // A label may say another shard each time.
    if (loop.objects === 0) loops.delete(keyOf(loop));
  }

  return {
    /** The loop of an object as it is now, which was counted with `before`; null where no controller is known for it. */
    join({ controller, shard, ref }: Observation, before: Loop | null): Loop | null {
      const { namespace } = ref;
      if (before?.controller === controller && before.namespace === namespace && before.shard === shard) return before;
      leave(before);
      if (controller === null) return null;
      const key = keyOf({ controller, namespace, shard });
      const loop = loops.get(key) ?? { controller, namespace, shard, objects: 0 };
      loop.objects += 1;
      loops.set(key, loop);
      return loop;
    },
    leave,
    all: (): readonly Loop[] => [...loops.values()],
  };
}

function keyOf({ controller, namespace, shard }: Omit<Loop, 'objects'>): string {
  return JSON.stringify([controller, namespace, shard]);
}
