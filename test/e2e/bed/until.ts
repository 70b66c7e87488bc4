import { setTimeout as wait } from 'node:timers/promises';

/** Asks again and again until the answer is yes; says what was waited for where it never is. `deadline` in ms. */
export async function until(
  what: string,
  reached: () => boolean | Promise<boolean>,
  deadline = 30_000,
  every = 100,
): Promise<void> {
  const end = performance.now() + deadline;
  while (!(await reached())) {
    if (performance.now() > end) throw new Error(`waited ${deadline} ms in vain: ${what}`);
    await wait(every);
  }
}
