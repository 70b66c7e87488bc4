import { setTimeout as pause } from 'node:timers/promises';

/**
 * Asks `check` again and again (every `every` ms, 250 by default) until it gives something other than null or `within` ms are over;
 * null then. A throw of `check` counts as null: what is being waited for may not be up yet.
 */
export async function until<T>(
  check: () => Promise<T | null> | T | null,
  within: number,
  every = 250,
): Promise<T | null> {
  const deadline = Date.now() + within;
  for (;;) {
    const found = await Promise.resolve()
      .then(check)
      .catch(() => null);
    if (found !== null) return found;
    if (Date.now() >= deadline) return null;
    await pause(every);
  }
}

/** As `until`, but what does not come is an error that says what was waited for. */
export async function mustCome<T>(what: string, check: () => Promise<T | null> | T | null, within: number): Promise<T> {
  const found = await until(check, within);
  if (found === null) throw new Error(`${what} did not come within ${within / 1000} s`);
  return found;
}
