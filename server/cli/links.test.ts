import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { day } from '#lib/domain/time/length.ts';
import { linkList, linkListFile, type NewLink } from '../web/embeds/link-list.ts';
import { links, type LinksOptions } from './links.ts';

const now = Date.UTC(2026, 10, 21, 2);
const elsewhere = '0123456789abcdef';
let data: string;

beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'plumbline-links-'));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
});

const list = () => linkList(join(data, linkListFile));

function made(link: Partial<NewLink> = {}): string {
  const kept = list().keep({
    scope: 'fleet',
    key: 'abcd',
    by: 'command',
    madeAt: now,
    endsAt: now + 90 * day,
    ...link,
  });
  if (kept.type !== 'kept') throw new Error(kept.type);
  return kept.link.id;
}

function run(options: LinksOptions = {}) {
  const out: string[] = [];
  const said: string[] = [];
  const output = { out: (line: string) => out.push(line), say: (line: string) => said.push(line) };
  return { code: links({ data, ...options }, {}, now, output), out, said: said.join('\n') };
}

describe('plumbline links', () => {
  it('lists what was made: scope, by whom, when, until when, by which key, and if it opens', () => {
    const one = made({ scope: 'cluster:eu-west-3', by: 'reader', madeAt: now - day });
    const other = made();
    made({ endsAt: now });
    list().revoke([one, elsewhere], now);
    expect(run()).toEqual({
      code: 0,
      out: [
        'ID                SCOPE              MADE BY  MADE (UTC)    ENDS (UTC)         KEY   STATE',
        `${other}  fleet              command  21 Nov 02:00  19 Feb 2027 02:00  abcd  open`,
        `${one}  cluster:eu-west-3  reader   20 Nov 02:00  19 Feb 2027 02:00  abcd  revoked 21 Nov 02:00`,
      ],
      said: `Revoked too, made elsewhere: ${elsewhere}.`,
    });
  });

  it('prints nothing where there is none', () => {
    expect(run()).toEqual({ code: 0, out: [], said: 'No link is kept here that has not ended.' });
  });

  it('revokes by ids and by the links themselves', () => {
    const [one, other, stays] = [made(), made(), made()];
    const address = `https://plumbline.example.org/embed/fleet?expires=1&key=abcd&id=${other}&signature=x`;
    const { code, out, said } = run({ revoke: [one, address] });
    expect([code, out, said]).toEqual([0, [], '2 links revoked: what is asked by them from now on is refused.']);
    expect([one, other, stays].map(list().standing)).toEqual(['revoked', 'revoked', 'open']);
  });

  it('revokes what is not kept here, and says so', () => {
    const { code, said } = run({ revoke: [elsewhere] });
    expect([code, said]).toEqual([0, expect.stringContaining(`${elsewhere} is not kept here`)]);
    expect(list().standing(elsewhere)).toBe('revoked');
  });

  it.each(['abcd', '', 'https://plumbline.example.org/embed/fleet?expires=1&key=abcd&signature=x'])(
    'revokes nothing where one of them is no link with an id: %j',
    (bad) => {
      const one = made();
      const { code, said } = run({ revoke: [one, bad] });
      expect([code, said]).toEqual([64, expect.stringContaining('nothing was revoked')]);
      expect(list().standing(one)).toBe('open');
    },
  );

  it('says where the list cannot be used', async () => {
    await writeFile(join(data, linkListFile), 'something else');
    for (const options of [{}, { revoke: [elsewhere] }, { data: join(data, 'none'), revoke: [elsewhere] }])
      expect(run(options)).toMatchObject({ code: 69, out: [], said: expect.stringContaining('cannot be used: ') });
  });
});
