import { describe, expect, it } from 'vitest';
import type { ForeignObject } from '#lib/foreign.ts';
import { failure } from '../answer.ts';
import { readListPage, readWatchEvent } from './watch-event.ts';

const thing = { apiVersion: 'example.org/v1', kind: 'Thing', metadata: { name: 'a', resourceVersion: '7' } };
const protocol = (message: string) => failure({ type: 'protocol', message });

const read = (event: unknown) => readWatchEvent(JSON.stringify(event), 'example.org/v1', 'Thing');
const error = (status: object) => read({ type: 'ERROR', object: { kind: 'Status', ...status } });

describe('a line of a watch', () => {
  it.each(['ADDED', 'MODIFIED', 'DELETED'] as const)('%s is a change of the object', (type) => {
    expect(read({ type, object: thing })).toEqual({ type, object: thing, resourceVersion: '7' });
  });

  it.each([
    { ...thing, metadata: undefined },
    { ...thing, metadata: { resourceVersion: 7 } },
  ])('%j bears no version', (object) =>
    expect(read({ type: 'ADDED', object })).toMatchObject({ type: 'ADDED', resourceVersion: '' }),
  );

  it.each([
    ['true', true],
    ['false', false],
    [undefined, false],
  ])('a bookmark whose initial-events-end is %s', (end, initialEventsEnd) => {
    const metadata = { resourceVersion: '8', annotations: { 'k8s.io/initial-events-end': end } };
    expect(read({ type: 'BOOKMARK', object: { metadata } })).toEqual({
      type: 'BOOKMARK',
      resourceVersion: '8',
      initialEventsEnd,
    });
  });

  it.each([
    ['no object', 7, 'a line that is no watch event'],
    ['an event without an object', { type: 'ADDED' }, 'a line that is no watch event'],
    ['an object of another kind', { type: 'ADDED', object: { ...thing, kind: 'Other' } }, 'an object that is no Thing'],
    ['of another version', { type: 'ADDED', object: { ...thing, apiVersion: 'v1' } }, 'an object that is no Thing'],
    ['an event of tomorrow', { type: 'MOVED', object: thing }, 'a watch event of an unknown type'],
  ])('%s is not understood', (_what, event, said) => {
    expect(read(event)).toEqual(protocol(`the server sent ${said}`));
  });

  it.each([
    [{ code: 410, message: 'too old' }, { type: 'expired' }],
    [{ code: 500, message: 'Too large resource version: 9, current: 8' }, { type: 'expired' }],
    [{ code: 411, message: 'x' }, failure({ type: 'server', status: 411, message: 'x' })],
    [{}, failure({ type: 'server', status: 500, message: 'the watch failed' })],
    [
      { code: 429, message: 'later', details: { retryAfterSeconds: 3 } },
      failure({ type: 'throttled', message: 'later' }, 3_000),
    ],
    [
      { code: 429, message: 'later', details: { retryAfterSeconds: 99_999_999_999_999 } },
      { ...failure({ type: 'throttled', message: 'later' }), retryAfter: 300_000 },
    ],
  ])('the status %j', (status, expected) => expect(error(status)).toEqual(expected));
});

it('a long line of nothing but values is not parsed', () => {
  const failed = readWatchEvent(`{"type":"ADDED","object":{"a":[${'[],'.repeat(200_000)}[]]}}`, 'v1', 'Thing');
  expect(failed).toMatchObject({ fault: { message: 'the server sent JSON of more than 300,000 values' } });
});

describe('a page of a list', () => {
  const page = (body: ForeignObject) => readListPage(body, 'example.org/v1', 'Thing', 3);

  it.each(['ThingList', 'List', 'PartialObjectMetadataList'])('is read of a %s', (kind) => {
    const bare = { metadata: { name: 'b' } };
    const other = { ...thing, kind: 'Other' };
    const body = { kind, metadata: { resourceVersion: '20', continue: 'next' }, items: [thing, bare, other] };
    const items = [thing, { apiVersion: 'example.org/v1', kind: 'Thing', ...bare }, other];
    expect(page(body)).toEqual({ type: 'page', items, resourceVersion: '20', next: 'next' });
  });

  it('is the last one, of no version, where it says nothing of itself', () => {
    expect(page({ kind: 'List' })).toEqual({ type: 'page', items: [], resourceVersion: '', next: '' });
  });

  it.each<readonly [ForeignObject, string]>([
    [{ kind: 'Table' }, 'Table where a ThingList was asked for'],
    [{}, 'something where a ThingList was asked for'],
    [{ kind: 'ThingList', items: [thing, null] }, 'a list with an item that is no object'],
  ])('%j is not understood', (body, said) => expect(page(body)).toEqual(protocol(`the server sent ${said}`)));
});
