import { createServer, type Server } from 'node:http';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '#test/browser.ts';

describe('the browser of the tests', () => {
  let browser: Browser;
  let server: Server;
  let origin: string;

  beforeAll(async () => {
    browser = await launchBrowser();
    server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<h1>Here</h1>'));
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  });

  afterAll(async () => {
    await browser.close();
    server.close();
  });

  it('draws letters', async () => {
    const page = await browser.newPage();
    await page.goto(origin);
    const width = await page.locator('h1').evaluate((heading) => {
      const range = document.createRange();
      range.selectNodeContents(heading);
      return range.getBoundingClientRect().width;
    });
    expect(width).toBeGreaterThan(30);
    expect((await page.screenshot()).subarray(1, 4).toString()).toBe('PNG');
    await page.close();
  });

  it('survives its last page and keeps web security on, as people have it', async () => {
    const page = await browser.newPage();
    await page.goto(origin);
    const other = origin.replace('127.0.0.1', 'localhost');
    const outcome = await page.evaluate(
      (url) =>
        fetch(url).then(
          () => 'read',
          () => 'refused',
        ),
      other,
    );
    expect(outcome).toBe('refused');
    await page.close();
  });
});
