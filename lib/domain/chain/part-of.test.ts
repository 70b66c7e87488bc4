import { expect, it } from 'vitest';
import { observed } from '../testing/observed.ts';
import { isPartOf } from './part-of.ts';

const named = (kind: string, namespace: string) => ({ cluster: 'c1', group: 'acme.org', kind, namespace, name: 'x' });
const part = observed({ ref: named('Bucket', 'shop'), role: 'managed', parent: named('XBucket', '') });
const composite = observed({ ref: named('XBucket', ''), role: 'composite', uid: 'u1', children: [part.ref] });
const claim = observed({ ref: named('Claim', 'shop'), role: 'claim', uid: 'u2', children: [composite.ref] });
const claimed = { ...composite, parent: claim.ref };

it.each([
  ['owned by its uid', { ...part, ownerUid: 'u1' }, composite, true],
  ['owned by its uid, and listed by nobody yet', { ...part, ownerUid: 'u1' }, { ...composite, children: [] }, true],
  ['owned by another of its name', { ...part, ownerUid: 'u0' }, composite, false],
  ['named as its owner without a uid', part, composite, false],
  ['listed by it alone', { ...part, parent: null }, composite, false],
  ['owned by nothing that has a uid', { ...part, ownerUid: '' }, { ...composite, uid: 'u1' }, false],
  ['a composite and its claim that name each other', claimed, claim, true],
  ['a composite that its claim names alone', composite, claim, false],
  ['a composite that names a claim alone', claimed, { ...claim, children: [] }, false],
  ['a composite whose claim names another', claimed, { ...claim, children: [named('XBucket', 'shop')] }, false],
  ['of a claim by the uid alone', { ...composite, ownerUid: 'u2' }, claim, false],
])('a part %s', (_name, one, whole, expected) => expect(isPartOf(one, whole)).toBe(expected));
