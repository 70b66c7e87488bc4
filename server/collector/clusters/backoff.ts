export interface BackoffSettings {
  readonly backoffFirst: number;
  readonly backoffCap: number;
  readonly backoffForget: number;
}

/**
 * Growing pauses between attempts, in ms. client-go's manners (reflector.go): 0.8 s, doubled up to 30 s, each stretched
 * by up to its own length, forgotten when the last use is longer ago than `backoffForget`.
 */
export function createBackoff(settings: BackoffSettings, now: () => number, random: () => number) {
  let step = settings.backoffFirst;
  let lastUsed = -Infinity;
  return {
    /** The next pause. */
    next(): number {
      const time = now();
      if (time - lastUsed > settings.backoffForget) step = settings.backoffFirst;
      const pause = Math.min(settings.backoffCap, step) * (1 + random());
      step = Math.min(settings.backoffCap, step * 2);
      lastUsed = time + pause;
      return pause;
    },
    /** Back to the first pause. */
    reset(): void {
      step = settings.backoffFirst;
    },
  };
}
