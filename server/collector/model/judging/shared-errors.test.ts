import { describe, expect, it } from 'vitest';
import type { Observation, SettledSummary } from '#lib/domain/observation/observation.ts';
import { bad, managed, noon, tracked } from '#lib/domain/testing/observed.ts';
import { newEntry } from '../objects/packed-entry.ts';
import type { Entry } from '../objects/entry.ts';
import { commonForm, createSharedErrors } from './shared-errors.ts';

const config = { cluster: 'c1', group: 'aws.upbound.io', kind: 'ProviderConfig', namespace: '', name: 'aws' };

function resource(name: string, summary: Observation['summary'], providerConfig: typeof config | null = config): Entry {
  const ref = { ...managed().ref, name };
  return newEntry(ref, tracked(managed({ ref, uid: name, summary, providerConfig }), noon), true);
}

function denied(name: string): SettledSummary {
  return bad(
    'observe',
    'ReconcileError',
    `connect failed: cannot assume role for "${name}": AccessDenied, request 1c9d6b3a-1111-2222-3333-444455556666 status 403`,
  );
}

const fine: SettledSummary = { said: 'good', reason: 'Available', message: '' };

describe('the common form of an error', () => {
  it.each([
    ['quoted names', 'cannot update "orders"', "cannot update 'ledger'"],
    [
      'request ids',
      'AccessDenied, request 1c9d6b3a-1111-2222-3333-444455556666',
      'AccessDenied, request 99999999-aaaa-bbbb-cccc-444455556666',
    ],
    ['numbers', 'retry 3 of 10', 'retry 17 of 20'],
  ])('leaves out %s', (_what, one, other) => expect(commonForm(one)).toBe(commonForm(other)));

  it.each([
    ['cannot update "orders" of \'a\'', 'cannot update … of …'],
    ['request 1c9d6b3a-1111-2222-3333-444455556666, status 403', 'request …, status #'],
    ['y'.repeat(160), 'y'.repeat(160)],
    ['y'.repeat(161), `${'y'.repeat(159)}…`],
    [`"${'y'.repeat(397)}"zz`, '…z'],
  ])('of %s is %s', (message, expected) => expect(commonForm(message)).toBe(expected));

  it('tells different errors apart, and is short', () => {
    expect(commonForm('AccessDenied')).not.toBe(commonForm('Throttling'));
    expect(commonForm('x '.repeat(400)).length).toBe(160);
    // Cut inside of "StatusCode: 400" it would read as another code.
    expect(commonForm('x '.repeat(400))).toMatch(/…$/);
  });
});

describe('one cause of many', () => {
  it('is an error on at least five and at least half of a ProviderConfig’s resources', () => {
    const shared = createSharedErrors();
    const entries = Array.from({ length: 8 }, (_, index) =>
      resource(`r${index}`, index < 5 ? denied(`r${index}`) : fine),
    );
    const touched = entries.map((entry) => {
      shared.note(entry);
      return shared.takeTouched().length;
    });
    // The fifth alike makes it a cause: all that were noted by then are touched.
    expect(touched).toEqual([0, 0, 0, 0, 5, 0, 0, 0]);
    expect(entries.map((entry) => shared.of(entry) !== null)).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it.each([
    ['four are too few', 4, 0],
    ['five of eleven are less than half', 5, 6],
  ])('%s', (_name, failing, well) => {
    const shared = createSharedErrors();
    const entries = [
      ...Array.from({ length: failing }, (_, index) => resource(`bad${index}`, denied(`bad${index}`))),
      ...Array.from({ length: well }, (_, index) => resource(`good${index}`, fine)),
    ];
    for (const entry of entries) shared.note(entry);
    expect(entries.map((entry) => shared.of(entry))).toEqual(entries.map(() => null));
  });

  it('is one of exactly half of them, as long as five are left that fail alike', () => {
    const shared = createSharedErrors();
    const failing = Array.from({ length: 6 }, (_, index) => resource(`bad${index}`, denied(`bad${index}`)));
    const well = Array.from({ length: 5 }, (_, index) => resource(`good${index}`, fine));
    for (const entry of [...failing, ...well]) shared.note(entry);
    const [first, second, third] = failing;
    if (!first || !second || !third) throw new Error('no entries');
    const isShared = () => shared.of(third) !== null;
    expect(shared.takeTouched()).toHaveLength(11);
    shared.forget(first);
    expect(shared.takeTouched()).toEqual([]);
    expect(isShared()).toBe(true);
    shared.note(first);
    const throttled = managed({ ref: second.ref, uid: 'b', summary: bad('observe', 'ReconcileError', 'Throttling') });
    second.change({ track: tracked({ ...throttled, providerConfig: config }, noon) });
    // Five of eleven are left.
    shared.note(second);
    expect(shared.takeTouched()).toHaveLength(11);
    expect([isShared(), shared.of(second)]).toEqual([false, null]);
    shared.forget(second);
    expect(isShared()).toBe(true);
  });

  it('is of those that fail so, though more of them wait and tell no error at all', () => {
    const shared = createSharedErrors();
    const waiting = Array.from({ length: 5 }, (_, index) => resource(`w${index}`, { said: 'nothing' }));
    const failing = Array.from({ length: 5 }, (_, index) => resource(`r${index}`, denied(`r${index}`)));
    for (const entry of [...waiting, ...failing]) shared.note(entry);
    expect(failing.map((entry) => shared.of(entry) !== null)).toEqual(failing.map(() => true));
    expect(waiting.map((entry) => shared.of(entry))).toEqual(waiting.map(() => null));
  });

  it('counts who is left when others are gone', () => {
    const shared = createSharedErrors();
    const entries = Array.from({ length: 6 }, (_, index) => resource(`r${index}`, denied(`r${index}`)));
    const [left, ...others] = entries;
    if (!left) throw new Error('no entries');
    for (const entry of entries) shared.note(entry);
    for (const entry of others) shared.forget(entry);
    expect(shared.of(left)).toBeNull();
    for (const entry of others.slice(0, 4)) shared.note(entry);
    expect(shared.of(left)).not.toBeNull();
  });

  it('resources without a ProviderConfig, or of another one, do not count', () => {
    const shared = createSharedErrors();
    const alone = Array.from({ length: 5 }, (_, index) => resource(`alone${index}`, denied('x'), null));
    const others = Array.from({ length: 4 }, (_, index) =>
      resource(`other${index}`, denied('x'), { ...config, name: 'gcp' }),
    );
    const here = resource('here', denied('x'));
    for (const entry of [...alone, ...others, here]) shared.note(entry);
    expect([...alone, ...others, here].every((entry) => shared.of(entry) === null)).toBe(true);
  });

  it('ends when too few are left, and tells whom that touches', () => {
    const shared = createSharedErrors();
    const entries = Array.from({ length: 5 }, (_, index) => resource(`r${index}`, denied(`r${index}`)));
    for (const entry of entries) shared.note(entry);
    const [first, second] = entries;
    if (!first || !second) throw new Error('no entries');
    expect(shared.takeTouched()).toHaveLength(5);
    shared.forget(first);
    expect(shared.takeTouched()).toHaveLength(4);
    expect([shared.of(second), shared.of(first)]).toEqual([null, null]);
  });

  it('a resource that moves to another ProviderConfig counts there and no more here', () => {
    const shared = createSharedErrors();
    const entries = Array.from({ length: 5 }, (_, index) => resource(`r${index}`, denied(`r${index}`)));
    for (const entry of entries) shared.note(entry);
    const [first, second] = entries;
    if (!first || !second) throw new Error('no entries');
    first.change({
      track: tracked(
        managed({ ref: first.ref, uid: 'r0', summary: denied('r0'), providerConfig: { ...config, name: 'other' } }),
        noon,
      ),
    });
    expect(shared.takeTouched()).toHaveLength(5);
    shared.note(first);
    expect(shared.takeTouched()).toHaveLength(4);
    expect(shared.of(second)).toBeNull();
  });

  it('errors without a message are not alike', () => {
    const shared = createSharedErrors();
    const entries = Array.from({ length: 6 }, (_, index) => resource(`r${index}`, bad('health', 'Unavailable', '')));
    for (const entry of entries) shared.note(entry);
    expect(entries.map((entry) => shared.of(entry))).toEqual(entries.map(() => null));
  });
});

it('as many errors as resources are counted in time that grows with their number', () => {
  const shared = createSharedErrors();
  const words = (number: number): string => number.toString(2).replaceAll('0', 'g').replaceAll('1', 'h');
  const entries = Array.from({ length: 49_000 }, (_, number) =>
    resource(`r${number}`, bad('observe', 'ReconcileError', `cannot ${words(number)}`)),
  );
  const began = process.cpuUsage().user;
  for (const entry of entries) shared.note(entry);
  expect((process.cpuUsage().user - began) / 1e6).toBeLessThan(2);
  expect(entries.filter((entry) => shared.of(entry) !== null)).toEqual([]);
});

it('names whom it touches once, however often another error is that of most', () => {
  const shared = createSharedErrors();
  const errorAt = (place: number): SettledSummary =>
    bad('observe', 'ReconcileError', place % 4 === 0 || place % 4 === 3 ? 'cannot assume role' : 'quota is over');
  const entries = Array.from({ length: 49_000 }, (_, place) => resource(`r${place}`, errorAt(place)));
  for (const entry of entries) shared.note(entry);
  expect(shared.takeTouched()).toHaveLength(49_000);
  const began = process.cpuUsage().user;
  for (const entry of entries.slice(0, -8)) shared.forget(entry);
  expect((process.cpuUsage().user - began) / 1e6).toBeLessThan(1);
  expect(shared.takeTouched().length).toBeLessThanOrEqual(8);
});
