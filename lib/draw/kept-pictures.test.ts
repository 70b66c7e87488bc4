import { expect, it } from 'vitest';
import { noShares } from '../domain/record/segments.ts';
import { day } from '../domain/time/length.ts';
import { verdicts, type Verdict } from '../domain/verdict/verdict.ts';
import { badgeRefusal, badgeSvg } from './embed/badge.ts';
import type { EmbedContent, EmbedFrame } from './embed/embed-content.ts';
import { embedPage, embedRefusal } from './embed/embed-page.ts';
import { alarmMarks, glyphStroke, verdictGlyphs } from './glyphs.ts';
import { dayChart } from './report/report-charts.ts';
import { faviconSvg } from './plumb-line.ts';
import { areaPath, patternId, textureOf, tilePath } from './texture.ts';

const october = Date.UTC(2026, 9, 1);
const frame: EmbedFrame = { madeAt: Date.UTC(2026, 10, 21, 2, 59, 50), theme: 'auto', simulated: true };
const truths = ['holds', 'broken', 'unknown', 'empty'] as const;

/** An embed of everything that one can have, with that sign. */
function content(sign: EmbedContent['sign']): EmbedContent {
  return {
    title: 'eu-west-3',
    href: '/clusters/eu-west-3',
    sign,
    lead: 'Not so',
    sentence: 'Not so: nobody is being called for 2 diverged.',
    counts: verdicts.map((verdict, index) => [verdict, 1_204 - index]),
    standing: 'In order or alarmed: 5; nobody is being called: 2',
    lines: [
      { verdict: 'diverged', silent: true, title: 'checkout', note: 'since 02:00', href: '/checkout' },
      { verdict: 'suspended', silent: false, title: 'mail', note: '', href: '/mail' },
    ],
    table: {
      columns: ['checkout', 'mail'],
      rows: [
        {
          title: 'eu-west-3',
          href: '/clusters/eu-west-3',
          cells: [{ verdict: 'stale', silent: true, note: '2 objects', href: '/checkout' }, null],
        },
      ],
    },
    more: '1 more cluster, all in order.',
    badge: { sign, words: '2 diverged', silent: true },
  };
}

/** That many days, of which every third has a tenth away and a part not seen. */
function days(count: number) {
  return Array.from({ length: count }, (_, index) => {
    const away = index % 3 === 0 ? { diverged: 10, unobserved: index } : {};
    return { day: october + index * day, shares: { ...noShares, converged: 90, ...away } };
  });
}

const signs: readonly EmbedContent['sign'][] = [
  ...truths.map((truth) => ({ type: 'truth', truth }) as const),
  ...verdicts.map((verdict) => ({ type: 'verdict', verdict }) as const),
];

const area = { x: 103, y: 21, w: 17, h: 9 };

function glyphSvg(verdict: Verdict, colour: string, size: number): string {
  const parts = verdictGlyphs[verdict].map((part) =>
    part.outline
      ? `<path d="${part.d}" fill="none" stroke="${colour}" stroke-width="${glyphStroke}"/>`
      : `<path d="${part.d}" fill="${colour}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 12 12">${parts.join('')}</svg>`;
}

// A change that is meant is written with `vitest run -u`; look at the pictures then (the file is HTML).
it.each([
  [
    'embed',
    () => [embedPage(content({ type: 'verdict', verdict: 'diverged' }), frame, { by: 'script', again: '/embed?a=1' })],
  ],
  [
    'embed-within',
    () => [
      embedPage(content({ type: 'truth', truth: 'unknown' }), frame, { by: 'itself' }),
      embedRefusal('This link has ended.'),
    ],
  ],
  ['badges', () => [...signs.map((sign) => badgeSvg(content(sign), frame)), badgeRefusal('link ended')]],
  ['charts', () => [35, 120, 400].map((count) => dayChart(days(count), ['diverged'], 'auto'))],
  [
    'signs',
    () => [
      ...verdicts.map((verdict) => glyphSvg(verdict, '#123456', 20)),
      ...Object.entries(alarmMarks).map(([state, parts]) => `<p>${state} ${JSON.stringify(parts)}`),
      ...truths.map(faviconSvg),
      ...verdicts.map((verdict) => {
        const texture = textureOf(verdict);
        return `<p>${patternId(verdict)} ${JSON.stringify(texture)} ${tilePath(texture)} in ${areaPath(texture, area)}`;
      }),
    ],
  ],
] as const)('%s are drawn as they are kept', async (name, draw) => {
  const drawn = draw().join('\n').replaceAll('><', '>\n<');
  await expect(`${drawn.trimEnd()}\n`).toMatchFileSnapshot(`../../test/fixtures/kept/pictures/${name}.html`);
});
