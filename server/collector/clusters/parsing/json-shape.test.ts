import { describe, expect, it } from 'vitest';
import { answerValues, refuseShape, smallJson } from './json-shape.ts';

const room = ' '.repeat(smallJson);

function said(text: string, most = answerValues): string | null {
  return refuseShape(text, most)?.fault.message ?? null;
}

function nested(depth: number): string {
  return `${'['.repeat(depth)}${']'.repeat(depth)}`;
}

describe('a long text', () => {
  it.each([
    ['100 deep', nested(100), null],
    ['101 deep', nested(101), 'the server sent JSON nested more than 100 deep'],
    ['101 beside each other', `[${'[],{},'.repeat(101)}]`, null],
    ['brackets in strings', `["${'['.repeat(200)}", "\\"${'{'.repeat(200)}\\\\", []]`, null],
    ['brackets after a string', `["\\\\",${nested(100)}]`, 'the server sent JSON nested more than 100 deep'],
    ['a string without an end', `["${'['.repeat(200)}`, null],
  ])('%s', (_what, text, why) => expect(said(room + text)).toBe(why));

  it('of more values than fit is refused, and not asked for again at once', () => {
    const text = `${room}[1,{},"a,b"]`;
    expect(refuseShape(text, 4)).toBeNull();
    expect(refuseShape(text, 3)).toEqual({
      type: 'fault',
      fault: { type: 'protocol', message: 'the server sent JSON of more than 3 values' },
      retryAfter: 30_000,
    });
  });

  it('of 8 MB of the densest objects that were recorded is parsed', () => {
    const object = '{"f:a":{},"f:b":{".":{},"f:c":{}}},';
    expect(said(`[${object.repeat(8_000_000 / 13 / 7)}{}]`)).toBeNull();
  });
});

it('a short text is parsed at once', () => expect(said(nested(smallJson / 2))).toBeNull());
