import { expect, it } from 'vitest';
import { readCommit } from './commit-object.ts';

const sha = 'a'.repeat(40);
const plain = `tree ${sha}\nparent ${sha}\nauthor Ada <ada@example.org> 1700000000 +0100\ncommitter Bo <bo@example.org> 1700000060 +0000\n`;

function read(object: string | Buffer) {
  return readCommit(sha, Buffer.from(object));
}

it('reads a plain commit', () => {
  expect(read(`${plain}\nScale it\n\nBecause (#5)\n`)).toEqual({
    sha,
    parents: [sha],
    authoredAt: 1_700_000_000_000,
    committedAt: 1_700_000_060_000,
    author: 'Ada',
    subject: 'Scale it',
    pullRequest: null,
    signed: false,
  });
});

it.each([
  ['a subject of several lines', `${plain}\nScale\nit (#7)\n\nbody`, { subject: 'Scale it (#7)', pullRequest: 7 }],
  ['no message', plain, { subject: '' }],
  [
    'a signature',
    `${plain}gpgsig -----BEGIN PGP SIGNATURE-----\n \n abc\n -----END PGP SIGNATURE-----\n\nx`,
    { signed: true, subject: 'x' },
  ],
  ['a signature of a SHA-256 repository', `${plain}gpgsig-sha256 abc\n\nx`, { signed: true }],
  ['a signature that stands in the message alone', `${plain}\ngpgsig abc`, { signed: false }],
  ['a time before 1970', plain.replaceAll('1700000000', '-100').concat('\nx'), { authoredAt: -100_000 }],
  ['the year 3000', plain.replaceAll('1700000000', '32503680000').concat('\nx'), { authoredAt: 32_503_680_000_000 }],
  [
    'a time beyond what can be written',
    plain.replaceAll('1700000000', '9'.repeat(20)).concat('\nx'),
    { authoredAt: Date.UTC(9999, 11, 31, 23, 59, 59) },
  ],
  [
    'a time before what can be written',
    plain.replaceAll('1700000000', `-${'9'.repeat(15)}`).concat('\nx'),
    { authoredAt: Date.parse('0001-01-01T00:00:00Z') },
  ],
  ['no time', `author Ada\n\nx`, { authoredAt: 0, committedAt: 0, author: 'Ada' }],
  ['a name with a bracket', 'author A <b> <a@b> 5 +0000\n\nx', { author: 'A', authoredAt: 5_000 }],
  ['letters that nobody sees', `${plain}\nevil \u202e\u0000txt`, { subject: String.raw`evil \u{202e}\u{0}txt` }],
  ['an encoding that nobody knows', `${plain}encoding x-none\n\nScale`, { subject: 'Scale' }],
  ['nothing at all', '', { parents: [], author: '', subject: '' }],
])('reads %s', (_, object, expected) => {
  expect(read(object)).toMatchObject(expected);
});

it('reads a message in the encoding that it names', () => {
  const object = Buffer.concat([Buffer.from(`${plain}encoding ISO-8859-1\n\nGr`), Buffer.of(0xfc), Buffer.from('n')]);
  expect(read(object).subject).toBe('Grün');
});

it('bounds a subject of a megabyte, and hides what may be secret in it', () => {
  expect(read(`${plain}\n${'x '.repeat(500_000)}`).subject.length).toBeLessThanOrEqual(253);
  expect(read(`${plain}\nUse password=hunter2hunter2 now`).subject).not.toContain('hunter2');
});

it('tells 16 parents of 60', () => {
  const parents = Array.from({ length: 60 }, (_, n) => `parent ${String(n).padStart(40, '0')}\n`).join('');
  expect(read(`tree ${sha}\n${parents}\nx`).parents).toHaveLength(16);
});
