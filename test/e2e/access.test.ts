import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WireCommitList } from '#lib/api/commit.ts';
import { WireIncidentList } from '#lib/api/incident.ts';
import { type Bed, makeBed } from './bed/bed.ts';
import { broken, kustomizationPath } from './bed/places.ts';

/** Pictures of every page as it was seen last, for people to look at. */
const pictures = join(import.meta.dirname, '..', '..', '.plumbline', 'pictures');

let bed: Bed;
beforeAll(async () => {
  await mkdir(pictures, { recursive: true });
  bed = await makeBed({
    before: [
      { order: 'lose', cluster: 'ap-northeast-1' },
      { order: 'forbid', cluster: 'sbx-2', kind: 'helmreleases.helm.toolkit.fluxcd.io' },
    ],
  });
});
afterAll(() => bed?.stop());

/** Place of the newest incident, whose address is not known before. */
const anIncident = '/incidents/newest';

/** Place of the newest commit. */
const aCommit = '/commits/newest';

async function addressOf(path: string): Promise<string> {
  if (path === aCommit) {
    const { rows: commits } = WireCommitList.parse(await bed.ask('/api/v1/commits?limit=1'));
    return commits[0]?.self ?? path;
  }
  if (path !== anIncident) return path;
  const { rows } = WireIncidentList.parse(await bed.ask('/api/v1/incidents?order=largest&limit=1'));
  return rows[0]?.links.self ?? path;
}

const pages = [
  ['fleet', '/'],
  ['fleet with commits', '/?q=checkout'],
  ['fleet that a filter has emptied', '/?q=nothing-is-called-so'],
  ['wall', '/?view=wall'],
  ['cluster', '/clusters/eu-west-3'],
  ['cluster that cannot be reached', '/clusters/ap-northeast-1'],
  ['cluster with a kind that is forbidden', '/clusters/sbx-2'],
  ['cluster with dead controllers', '/clusters/stg-edge'],
  ['object', broken.path],
  ['object in order', kustomizationPath('us-west-2', 'crds')],
  ['managed resource', '/clusters/us-east-2/rds.aws.upbound.io/Instance/-/checkout-us-east-2'],
  ['list', '/objects?verdict=diverged,drifted,unhealthy,stale'],
  ['alarms', '/alarms'],
  ['alarms of a kind', '/alarms?kind=Kustomization'],
  ['exemptions', '/exemptions'],
  ['exemptions that a filter has emptied', '/exemptions?q=nothing-is-called-so'],
  ['conflicts', '/exemptions?tab=conflicts'],
  ['history of a cluster', '/history?cluster=eu-west-3&last=6h'],
  ['history of a column, as a table', '/history?kind=Kustomization&name=checkout&last=6h&table=1'],
  ['history that a filter has emptied', '/history?kind=Nothing&name=nothing-is-called-so'],
  ['incidents', '/incidents'],
  ['incidents that a filter has emptied', '/incidents?objects=1000000'],
  ['incident', anIncident],
  ['incident that is not there', '/incidents/nothing-is-called-so'],
  ['commits', '/commits'],
  ['commits that a filter has emptied', '/commits?path=nothing-is-called-so'],
  ['commit', aCommit],
  ['commit that is not there', `/commits/${'f'.repeat(40)}`],
  ['pairs of directories', '/compare'],
  ['directories compared', '/compare?left=clusters/production/eu-west-3&right=clusters/production/us-east-2'],
  ['absences', '/absences'],
  ['corrections', '/corrections'],
  ['report', '/reports'],
  ['report that cannot be given', '/reports?from=monday'],
  ['spans of a figure', '/reports/spans?verdict=diverged'],
  ['commits that arrived', '/reports/arrivals'],
  ['pager link without labels', '/go'],
  ['pager link that may mean one', '/go?cluster=eu-west-3&kind=Kustomization&namespace=monitoring&name=checkout'],
  ['pager link that fits several', '/go?kind=kustomizations&name=checkout'],
  ['pager link that fits none', '/go?cluster=eu-west-3&kind=Kustomization&namespace=flux-system&name=chekout'],
  ['not found', kustomizationPath('eu-west-3', 'chekout')],
] as const;

const themes = [
  ['light', { colorScheme: 'light', viewport: { width: 1440, height: 900 } }],
  ['dark', { colorScheme: 'dark', viewport: { width: 1440, height: 900 } }],
  ['phone', { colorScheme: 'light', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
] as const;

const allOfIt = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Violations that axe finds, one line each: "color-contrast: .note (3.9 of 4.5)". In the dark only colours are other than in the light. */
async function violations(page: Page, theme: string): Promise<readonly string[]> {
  const axe = new AxeBuilder({ page });
  const { violations: found } = await (
    theme === 'dark' ? axe.withRules(['color-contrast', 'link-in-text-block']) : axe.withTags(allOfIt)
  ).analyze();
  return found.flatMap(({ id, nodes }) => {
    const where = nodes.slice(0, 3).map(({ target, any }) => `${target.join(' ')} (${any[0]?.message ?? ''})`);
    return `${id} x ${nodes.length}: ${where.join('; ')}`;
  });
}

/** Elements that stand out of the window sideways, where the page itself scrolls. */
function tooWide(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
      .slice(-3)
      .map((element) => element.outerHTML.slice(0, 120));
  });
}

/** Targets under 24 by 24 px that stand neither in a sentence nor far enough from others (WCAG 2.5.8). */
function smallTargets(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const targets = [...document.querySelectorAll('a[href], button, input, summary')]
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(
        ({ element, box }) => box.width > 1 && box.height > 1 && element.checkVisibility({ visibilityProperty: true }),
      );
    const small = targets.filter(({ box }) => box.width < 24 || box.height < 24);
    const middle = (box: DOMRect) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 });
    return small.flatMap(({ element, box }) => {
      // On a timeline the width is the message; its table leads to the same moments.
      if (element.matches('.time-mark')) return [];
      if (getComputedStyle(element).display === 'inline' || element.closest('p, h1, li, dd, td') !== null) return [];
      const at = middle(box);
      const near = targets.some((other) => {
        if (other.element === element || other.element.contains(element) || element.contains(other.element))
          return false;
        const to = {
          x: Math.max(other.box.left, Math.min(at.x, other.box.right)),
          y: Math.max(other.box.top, Math.min(at.y, other.box.bottom)),
        };
        return Math.hypot(at.x - to.x, at.y - to.y) < 12;
      });
      return near ? [element.outerHTML.slice(0, 120)] : [];
    });
  });
}

/** In the dark only colours differ: one page of a kind shows them all. */
const coloured = new Set<string>([
  'fleet with commits',
  'wall',
  'cluster with a kind that is forbidden',
  'object',
  'list',
  'incidents',
  'incident',
  'commits',
  'commit',
]);

describe.each(themes)('in %s', (theme, options) => {
  it.each(pages.filter(([name]) => theme !== 'dark' || coloured.has(name)))(
    '%s: axe finds nothing, nothing stands out of the window, targets can be hit',
    async (name, path) => {
      const { page, close } = await bed.open(await addressOf(path), { ...options, reducedMotion: 'reduce' });
      await page.locator('header', { hasText: ', live' }).waitFor();
      await page.screenshot({ path: join(pictures, `${name.replaceAll(' ', '-')}-${theme}.png`), fullPage: true });
      expect({
        violations: await violations(page, theme),
        tooWide: await tooWide(page),
        smallTargets: await smallTargets(page),
      }).toEqual({ violations: [], tooWide: [], smallTargets: [] });
      await close();
    },
  );

  it('the help for keys: axe finds nothing', async () => {
    const { page, close } = await bed.open('/', { ...options, reducedMotion: 'reduce' });
    await page.locator('header', { hasText: ', live' }).waitFor();
    await page.getByRole('button', { name: 'Keys and signs' }).click();
    await page.getByRole('dialog').waitFor();
    await page.screenshot({ path: join(pictures, `keys-${theme}.png`) });
    expect(await violations(page, theme)).toEqual([]);
    await close();
  });
});

describe('whoever reads on paper', () => {
  it.each(pages.filter(([name]) => /^(?:fleet|cluster|object|list|incidents|incident|commits|commit)$/.test(name)))(
    'gets %s black on white',
    async (name, path) => {
      const { page, close } = await bed.open(await addressOf(path), { colorScheme: 'dark' });
      await page.locator('header', { hasText: ', live' }).waitFor();
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      await page.screenshot({ path: join(pictures, `${name}-paper.png`), fullPage: true });
      const paint = await page.locator('html').evaluate((root) => getComputedStyle(root).backgroundColor);
      expect(paint).toMatch(/^rgba?\((?:255, 255, 255|0, 0, 0, 0)/);
      expect(await page.locator('main').innerText()).not.toBe('');
      await close();
    },
  );
});
