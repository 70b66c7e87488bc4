import type { Locator, Page } from 'playwright-core';
import { until } from './until.ts';

/** Loads a page that has no JavaScript again until the server has drawn this: on a busy machine git may be late for it. */
export async function untilDrawn(page: Page, what: Locator): Promise<void> {
  const isDrawn = async (): Promise<boolean> => {
    if ((await what.count()) > 0) return true;
    await page.reload();
    return (await what.count()) > 0;
  };
  await until('the server to draw what git tells', isDrawn, 60_000, 1_000);
}
