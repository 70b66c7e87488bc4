import { describe, expect, it } from 'vitest';
import { badgeRefusal, badgeSvg } from './badge.ts';
import type { EmbedContent, EmbedFrame } from './embed-content.ts';
import { embedValidity } from './embed-content.ts';
import { embedPage, embedRefusal, minuteOf } from './embed-page.ts';
import { embedScript, embedStyle } from './embed-style.ts';
import { textWidth } from './badge.ts';

const madeAt = Date.UTC(2026, 10, 21, 2, 59, 50);
const frame: EmbedFrame = { madeAt, theme: 'auto', simulated: false };
const canary = `<b id="canary" onload='x'>&]]>`;
const sign = { type: 'verdict', verdict: 'diverged' } as const;

const content: EmbedContent = {
  title: canary,
  href: `/clusters/${canary}`,
  sign,
  lead: canary,
  sentence: canary,
  counts: [
    ['diverged', 2],
    ['converged', 1_204],
  ],
  standing: canary,
  lines: [{ verdict: 'diverged', silent: true, title: canary, note: canary, href: `/${canary}` }],
  table: {
    columns: [canary],
    rows: [
      {
        title: canary,
        href: `/${canary}`,
        cells: [{ verdict: 'stale', silent: false, note: canary, href: `/${canary}` }],
      },
      { title: 'b', href: '/b', cells: [null] },
    ],
  },
  more: canary,
  badge: { sign, words: canary, silent: true },
};

const page = embedPage(content, frame, { by: 'script', again: `/embed/fleet?x=${canary}` });
const badge = badgeSvg(content, frame);

describe('every text', () => {
  it.each([
    ['the embed', page, 14],
    ['the badge', badge, 4],
    ['a refusal', embedRefusal(canary), 2],
    ['a refused badge', badgeRefusal(canary), 3],
  ])('in %s is escaped', (_what, drawn, times) => {
    expect(drawn).not.toContain('<b id');
    expect(drawn).not.toMatch(/canary" onload|'x'>/);
    expect(
      drawn.split('&lt;b id=&quot;canary&quot; onload=&#39;x&#39;&gt;&amp;]]&gt;').length - 1,
    ).toBeGreaterThanOrEqual(times);
  });

  it('leaves no quoted attribute early: what is left when all quoted text is cut out is plain markup', () => {
    const bare = page
      .replace(embedStyle, '')
      .replace(embedScript, '')
      .replaceAll(/="[^"]*"/g, '');
    expect(bare).not.toContain('"');
    expect(bare.match(/<[^>]* on\w+/g)).toBeNull();
  });
});

describe('an embed', () => {
  it('says everything without scripts: sentence, counts, table, when it was made and until when it is good', () => {
    const still = page.replace(/<script>[^]*<\/script>/, '');
    expect(still).toContain('2 diverged');
    expect(still).toContain('1,204 converged');
    expect(still).toContain('<th scope="row">');
    expect(still).toContain('made <time datetime="2026-11-21T02:59:50.000Z">21 Nov 02:59 UTC</time>, valid to <time');
    expect(still).toContain('03:04 UTC');
  });

  it('renews itself by its script, without scripts by a frame over it, and in that frame by itself', () => {
    expect(page).toMatch(/<noscript><object [^>]*data="\/embed\/fleet/);
    expect(page).not.toContain('http-equiv="refresh"');
    const within = embedPage(content, frame, { by: 'itself' });
    expect(within).toContain('<meta http-equiv="refresh" content="60">');
    expect(within).not.toMatch(/<script|<object/);
    expect(embedRefusal('x')).not.toMatch(/<script|<object|refresh/);
  });

  it('greys itself out by its style alone, when it is no longer good', () => {
    const after = `${embedValidity / 1000}s forwards`;
    const rules = ['.embed{', '.words{', '.sign{', '.old{'].map((rule) => {
      const from = embedStyle.lastIndexOf(rule);
      return embedStyle.slice(from, embedStyle.indexOf('}', from));
    });
    expect(rules.filter((rule) => !rule.endsWith(after))).toEqual([]);
  });

  it('says that a fleet is simulated', () => {
    expect(page).not.toContain('simulated');
    expect(embedPage(content, { ...frame, simulated: true }, { by: 'itself' })).toContain('simulated fleet');
  });

  it.each(['auto', 'light', 'dark'] as const)('is painted %s', (theme) => {
    expect(embedPage(content, { ...frame, theme }, { by: 'itself' })).toContain(`data-theme="${theme}"`);
    expect(badgeSvg(content, { ...frame, theme })).toContain(`data-theme="${theme}"`);
  });

  it('needs nothing from anywhere', () => {
    for (const drawn of [page, badge, embedRefusal('x')])
      expect(drawn.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|url\((?!#)|@import|<link|<img/);
  });
});

describe('a badge', () => {
  it('always has its day and time, in its words and for those who cannot see it', () => {
    expect(badge).toContain('>21 Nov 02:59 UTC</text>');
    expect(badge).toMatch(/aria-label="[^"]*21 Nov 02:59 UTC"/);
  });

  it('has its name and its time fainter than what it says', () => {
    expect(badge.match(/(?<=<text [^>]*style="fill:var\()[^)]+/g)).toEqual(['--mute', '--paper', '--mute']);
  });

  it('is as wide as what stands in it', () => {
    const wide = (title: string): number => Number(/width="(\d+)"/.exec(badgeSvg({ ...content, title }, frame))?.[1]);
    expect(wide('eu')).toBeLessThan(wide('eu-west-3'));
    expect(wide('x'.repeat(100))).toBe(wide('x'.repeat(1_000)));
    expect(badgeSvg({ ...content, title: `${'a'.repeat(60)}${'b'.repeat(60)}` }, frame)).toMatch(/>a{29}…b{29}</);
    expect(badgeSvg({ ...content, title: 'a'.repeat(60) }, frame)).toMatch(/>a{60}<\/text/);
    expect(badgeSvg({ ...content, title: 'a'.repeat(61) }, frame)).toMatch(/>a{29}…a{29}</);
    expect(textWidth('漢')).toBeGreaterThan(textWidth('i'));
  });

  it.each([
    [0.33, " .,:;!|'()[]-/fijlrtI"],
    [0.57, 'abcdeghknopqsuvxyz0123456789_äé'],
    [0.68, 'ABCDEFGHJKLNOPQRSTUVXYZ'],
    [0.88, 'mwMW@%'],
    [1, '漢…→'],
  ])('takes %s of its size for each of %s', (width, characters) => {
    for (const character of characters) expect([character, textWidth(character)]).toEqual([character, width]);
  });

  it('hatches and strikes itself, unless it is a refusal, which never gets old', () => {
    expect(badge).toContain('<g class="old">');
    expect(badgeRefusal('link ended')).not.toContain('<g class="old">');
    expect(badgeRefusal('link ended')).not.toContain('UTC');
  });
});

it('tells minutes in UTC', () => {
  expect(minuteOf(madeAt, madeAt)).toBe('21 Nov 02:59 UTC');
  expect(minuteOf(madeAt, madeAt + 60 * 86_400_000)).toBe('21 Nov 2026 02:59 UTC');
});
