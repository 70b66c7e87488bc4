/** Waits until `seen` gives something other than undefined, false or null; fails after `deadline` ms. */
export async function until<T>(
  what: string,
  seen: () => T | undefined | null | false | Promise<T | undefined | null | false>,
  deadline = 8_000,
): Promise<T> {
  const end = Date.now() + deadline;
  for (;;) {
    const found = await seen();
    if (found !== undefined && found !== null && found !== false) return found;
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
}

/** Lets everything run that is due at the present moment of a fake clock. */
export async function settled(rounds = 20): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}
