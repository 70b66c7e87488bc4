import { describe, expect, it } from 'vitest';
import type { EmbedForm, EmbedScope } from '#lib/domain/matrix/embed-scope.ts';
import { parseScope } from '#lib/domain/matrix/embed-scope.ts';
import { day } from '#lib/domain/time/length.ts';
import { newKey, type RingState, type SigningKey } from './key-file.ts';
import { openLink, signedLink, withoutQuery } from './signed-link.ts';

const now = Date.UTC(2026, 10, 21, 2);
const key = newKey(now);
const ring: RingState = { type: 'keys', keys: [key] };

function scope(text: string): EmbedScope {
  const found = parseScope(text);
  if (found === null) throw new Error(`${text} is no scope`);
  return found;
}

function link(text: string, form: EmbedForm = 'embed', by: SigningKey = key): string {
  return signedLink({ scope: scope(text), form, theme: 'dark', expires: now + 90 * day, id: '0123456789abcdef' }, by);
}

const scopes = [
  'fleet',
  'label:environment=production',
  'cluster:eu-west-3',
  'column:Kustomization/checkout',
  'object:eu-west-3/kustomize.toolkit.fluxcd.io/Kustomization/flux-system/checkout',
];

describe('a link', () => {
  it.each(scopes.flatMap((text) => [[text, 'embed'] as const, [text, 'badge'] as const]))(
    'to %s as %s opens',
    (text, form) => {
      expect(openLink(link(text, form), ring, now)).toEqual({
        type: 'open',
        form,
        scope: scope(text),
        theme: 'dark',
        id: '0123456789abcdef',
        within: false,
      });
    },
  );

  it.each(scopes)('to %s opens with no byte changed, left out or put in', (text) => {
    const good = link(text);
    for (let at = 0; at < good.length; at += 1) {
      const [before, after] = [good.slice(0, at), good.slice(at + 1)];
      expect(openLink(before + after, ring, now).type, `without byte ${at}`).toBe('refused');
      expect(openLink(`${before}0${good.slice(at)}`, ring, now).type, `a byte more before ${at}`).toBe('refused');
      for (let bit = 0; bit < 8; bit += 1) {
        const other = String.fromCharCode(good.charCodeAt(at) ^ (1 << bit));
        expect(openLink(before + other + after, ring, now).type, `byte ${at} as ${other}`).toBe('refused');
      }
    }
  });

  it('opens nothing else: neither another scope, nor the other form, nor longer', () => {
    const query = link('cluster:eu-west-3').split('?')[1] ?? '';
    for (const path of [
      '/embed/fleet',
      '/embed/clusters/eu-west-4',
      '/badge/clusters/eu-west-3.svg',
      '/embed/clusters/eu-west-3/',
    ])
      expect(openLink(`${path}?${query}`, ring, now)).toMatchObject({ type: 'refused', why: 'not-signed' });
    const longer = link('fleet').replace(/expires=\d+/, `expires=${(now + 365 * day) / 1000}`);
    expect(openLink(longer, ring, now)).toMatchObject({ type: 'refused', why: 'not-signed' });
  });

  it.each([
    ['light', 'open'],
    ['auto', 'open'],
    ['purple', 'refused'],
    ['', 'refused'],
  ])('may be painted %s: %s', (theme, type) => {
    expect(openLink(link('fleet').replace('theme=dark', `theme=${theme}`), ring, now).type).toBe(type);
  });

  it('opens nothing as it stands in a log', () => {
    const written = withoutQuery(link('cluster:eu-west-3'));
    expect(written).toBe('/embed/clusters/eu-west-3?...');
    expect(openLink(written, ring, now).type).toBe('refused');
    expect(withoutQuery('/embed/fleet?%73ignature=x?y')).toBe('/embed/fleet?...');
    expect(withoutQuery('/fleet')).toBe('/fleet');
  });

  it('is made of its path, its end in seconds, its key, its id if it has one, its signature and a theme if it is not auto', () => {
    const by: SigningKey = { id: 'abcd', secret: Buffer.alloc(32, 7), created: '', revoked: false };
    const order = { scope: scope('cluster:eu-west-3'), form: 'badge', expires: now + 999, id: null } as const;
    const plain =
      '/badge/clusters/eu-west-3.svg?expires=1795226400&key=abcd&signature=r7LUu7f3G4CLZiq1myuVbE9Oan0YQGU4UlEYpjBcJ1U';
    expect(signedLink({ ...order, theme: 'auto' }, by)).toBe(plain);
    expect(signedLink({ ...order, theme: 'light' }, by)).toBe(`${plain}&theme=light`);
    const numbered = signedLink({ ...order, theme: 'auto', id: '0123456789abcdef' }, by);
    const signature = '&signature=75d4Or7_WSAhXmW_kafeULzVWjz75-sffqMtI07WgA8';
    expect(numbered).toBe(`${plain.replace(/&signature.*/, '')}&id=0123456789abcdef${signature}`);
  });

  it('of before, without an id, opens as it is, and with no id put in', () => {
    const order = { scope: scope('fleet'), form: 'embed', theme: 'auto', expires: now + day, id: null } as const;
    const before = signedLink(order, key);
    expect(openLink(before, ring, now)).toMatchObject({ type: 'open', id: null });
    for (const bad of [`${before}&id=0123456789abcdef`, `${before}&id=`, link('fleet').replace(/&id=\w+/, '')])
      expect(openLink(bad, ring, now)).toMatchObject({ type: 'refused', why: 'not-signed' });
  });

  it('of the page itself opens within it', () => {
    expect(openLink(`${link('fleet')}&within=1`, ring, now)).toEqual({
      type: 'open',
      form: 'embed',
      scope: { type: 'fleet' },
      theme: 'dark',
      id: '0123456789abcdef',
      within: true,
    });
  });

  it('may end as wikis want the address of a picture to end', () => {
    expect(openLink(`${link('fleet', 'badge')}&as=.svg`, ring, now).type).toBe('open');
  });

  it.each(['&as=.png', '&__proto__=1', '&expires=1', '&theme=light', '&x=1', '&signature=', '&within=2', '#'])(
    'with %s more is refused',
    (more) => {
      expect(openLink(link('fleet') + more, ring, now).type).toBe('refused');
    },
  );

  it('ends at its time, to the second', () => {
    const end = now + 90 * day;
    expect(openLink(link('fleet'), ring, end - 1).type).toBe('open');
    expect(openLink(link('fleet'), ring, end)).toMatchObject({ type: 'refused', why: 'expired' });
  });

  it('is closed by its key: revoked, forgotten, or another one of the same name', () => {
    const good = link('fleet');
    const withKeys = (...keys: readonly SigningKey[]): RingState => ({ type: 'keys', keys });
    expect(openLink(good, withKeys({ ...key, revoked: true }), now)).toMatchObject({ why: 'revoked' });
    expect(openLink(good, withKeys(), now)).toMatchObject({ why: 'not-signed' });
    expect(openLink(good, withKeys({ ...newKey(now), id: key.id }), now)).toMatchObject({ why: 'not-signed' });
    expect(openLink(good, { type: 'unusable', why: 'exposed' }, now)).toMatchObject({ why: 'not-signed' });
    expect(openLink(good, { type: 'not-configured' }, now)).toMatchObject({ why: 'not-signed' });
  });

  it('goes on to open when a newer key signs', () => {
    const ringOfTwo: RingState = { type: 'keys', keys: [newKey(now), key] };
    expect(openLink(link('fleet'), ringOfTwo, now).type).toBe('open');
  });

  it('tells who has no signature nothing of keys: a revoked one does not say so', () => {
    const revoked: RingState = { type: 'keys', keys: [{ ...key, revoked: true }] };
    const other = link('fleet').replace(/signature=(.)/, (_, first) => `signature=${first === '_' ? 'a' : '_'}`);
    expect(openLink(other, revoked, now)).toMatchObject({ why: 'not-signed' });
  });

  it.each(['/embed/fleet', '/badge/fleet.svg', '/embed/', '/badge/x', '/embed/fleet?expires=1&key=x&signature=y'])(
    '%s is refused',
    (target) => {
      expect(openLink(target, ring, now)).toMatchObject({ type: 'refused', why: 'not-signed' });
    },
  );
});
