import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { WireLink } from '#lib/api/embed.ts';
import { showPage } from '../testing/show-page.tsx';
import { CopyEmbed } from './copy-embed.tsx';

const signed: WireLink = {
  type: 'signed',
  scope: 'cluster:eu-west-3',
  title: 'eu-west-3',
  embed: '/embed/clusters/eu-west-3?expires=1&key=abcd1234&signature=s',
  badge: '/badge/clusters/eu-west-3.svg?expires=1&key=abcd1234&signature=t',
  page: '/clusters/eu-west-3',
  expires: '2027-02-19T02:00:00.000Z',
  key: 'abcd1234',
  frameAncestors: ['https://wiki.example.org'],
};

async function open(answer: (path: string) => WireLink) {
  const page = showPage(<CopyEmbed scope={{ type: 'cluster', cluster: 'eu-west-3' }} />, { answer });
  expect(page.asked).toEqual([]);
  await page.user.click(screen.getByRole('button', { name: 'Embed' }));
  await screen.findByRole('dialog');
  return page;
}

const text = () => screen.getByRole('dialog').textContent;

describe('embedding a page', () => {
  it('gives a frame and a badge to copy, and says for how long, by which key and for whom', async () => {
    const { asked } = await open(() => signed);
    await screen.findByText(/<iframe/);
    expect(asked).toEqual(['/api/v1/link?scope=cluster%3Aeu-west-3&theme=auto&days=90']);
    expect(text()).toContain(`<iframe src="${location.origin}/embed/clusters/eu-west-3?expires=1&amp;key=abcd1234`);
    expect(text()).toContain(`[![eu-west-3](${location.origin}/badge/clusters/eu-west-3.svg?`);
    expect(text()).toContain('May be framed by https://wiki.example.org.');
    expect(text()).toContain('plumbline link --revoke abcd1234');
    expect(text()).toContain('Others reach Plumbline by another one');
    expect(screen.getByRole('img').getAttribute('src')).toBe(signed.badge);
  });

  it('asks again for another theme and another time', async () => {
    const { user, asked } = await open(() => signed);
    await user.click(await screen.findByRole('radio', { name: 'Dark' }));
    await user.click(await screen.findByRole('radio', { name: 'A year' }));
    await expect.poll(() => asked.at(-1)).toBe('/api/v1/link?scope=cluster%3Aeu-west-3&theme=dark&days=365');
  });

  it('says that no site may frame what it hands out', async () => {
    await open(() => ({ ...signed, frameAncestors: [] }));
    expect((await screen.findByRole('note')).textContent).toContain('No site may frame it yet');
  });

  it.each([
    ['not-configured', 'frameAncestors: [https://wiki.example.org]'],
    ['not-configured', 'plumbline link --new-key'],
    ['missing', 'plumbline link --new-key'],
    ['all-revoked', 'plumbline link --new-key'],
    ['exposed', 'chmod 600'],
    ['unreadable', 'cannot read the file of keys'],
    ['malformed', 'is not as plumbline link writes it'],
  ] as const)('where nothing can be signed (%s), says what to do: %s', async (why, words) => {
    await open(() => ({ type: 'not-signed', why }));
    await expect.poll(text).toContain(words);
    expect(text()).not.toContain('<iframe');
  });
});
