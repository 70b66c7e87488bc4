import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { WireProblem } from '#lib/api/refusals/problem.ts';
import { apiDocument } from '../endpoints/answer-api.ts';
import { sampleRef } from '../testing/sample.ts';
import { badCursor, isRefused, problemOf, unreadable, type Fault } from './problem.ts';

const words = { message: 'No.', mend: 'Do so.' };
const faults: { readonly [Type in Fault['type']]: Extract<Fault, { readonly type: Type }> } = {
  'method-not-allowed': { type: 'method-not-allowed', method: 'PUT' },
  'bad-address': { type: 'bad-address' },
  'bad-header': { type: 'bad-header', name: 'Next-Url' },
  'unwanted-body': { type: 'unwanted-body' },
  misdirected: { type: 'misdirected', host: 'evil.example' },
  'unknown-parameter': { type: 'unknown-parameter', name: 'knid', known: ['kind'] },
  'bad-parameter': { type: 'bad-parameter', name: 'limit', message: 'must be a number' },
  'not-there': { type: 'not-there', names: [{ parameter: 'cluster', value: 'nope', nearest: ['a'], on: 'b' }] },
  'not-found': { type: 'not-found', what: 'There is none.', nearest: [sampleRef({ name: 'web' })] },
  'not-recorded': { type: 'not-recorded', since: null },
  'too-many-streams': { type: 'too-many-streams' },
  'too-many-answers': { type: 'too-many-answers' },
  'not-ready': { type: 'not-ready', message: 'Soon.' },
  forbidden: { type: 'forbidden', message: 'No.' },
  'not-signed-in': { type: 'not-signed-in', ...words },
  'token-refused': { type: 'token-refused', ...words },
  'proof-refused': { type: 'proof-refused', ...words },
  'no-access': { type: 'no-access', ...words },
  'login-failed': { type: 'login-failed', ...words },
  'too-many-logins': { type: 'too-many-logins', ...words },
  'access-unusable': { type: 'access-unusable', ...words },
  internal: { type: 'internal', id: 'f00' },
};

const Document = z.object({
  paths: z.record(
    z.string(),
    z.object({
      get: z.object({
        parameters: z.array(z.object({ name: z.string() })),
        responses: z.record(z.string(), z.object({ description: z.string() })),
      }),
    }),
  ),
});

const { paths } = Document.parse(apiDocument());

function answers(path: string): Record<string, { description: string }> {
  return paths[`/api/v1/${path}`]?.get.responses ?? {};
}

const normalForm =
  'The path is not in its normal form: no dot segments, no empty ones, no needless or bad escapes, no capitals in /embed and /badge, nothing that turns the direction of text.';
const ownNames = "Served are this machine's own names, and publicUrl of plumbline.yaml.";
const later = 'This process serves as many streams as it can; try again in a minute.';

it.each<[Fault['type'], number, string, string, object]>([
  ['method-not-allowed', 405, 'Only reading is possible', 'PUT is not served here: git is the only actuator.', {}],
  [
    'unknown-parameter',
    400,
    'Unknown parameter',
    'There is no parameter "knid". Known are kind.',
    { parameter: 'knid' },
  ],
  ['bad-parameter', 400, 'Bad parameter', 'limit: must be a number', { parameter: 'limit' }],
  ['bad-address', 400, 'Bad address', normalForm, {}],
  ['bad-header', 400, 'Bad header', 'Next-Url is not in a form that can be read.', {}],
  ['unwanted-body', 400, 'Unwanted body', 'The request has a body: nothing here takes one.', {}],
  ['misdirected', 421, 'Misdirected request', `The host "evil.example" is not served here. ${ownNames}`, {}],
  ['not-found', 404, 'Not found', 'There is none.', { nearest: [sampleRef({ name: 'web' })] }],
  ['not-recorded', 404, 'Not recorded', 'Nothing is recorded yet.', { parameter: 'at', since: null }],
  ['too-many-streams', 503, 'Too many streams', later, {}],
  [
    'too-many-answers',
    503,
    'Too many answers',
    'As many answers as there is room for are being made or read; try again in a moment.',
    {},
  ],
  ['not-ready', 503, 'Not ready', 'Soon.', {}],
  ['forbidden', 403, 'Forbidden', 'No.', {}],
  ['not-signed-in', 401, 'Not logged in', 'No. Do so.', {}],
  ['token-refused', 401, 'Token refused', 'No. Do so.', {}],
  ['proof-refused', 401, 'Proof of the proxy refused', 'No. Do so.', {}],
  ['no-access', 403, 'Nothing to see', 'No. Do so.', {}],
  ['login-failed', 403, 'The login failed', 'No. Do so.', {}],
  ['too-many-logins', 429, 'Too many failed logins', 'No. Do so.', {}],
  ['access-unusable', 503, 'Nobody can be recognised now', 'No. Do so.', {}],
  ['internal', 500, 'Fault of Plumbline', 'This is a fault of Plumbline; its log tells more under f00.', { id: 'f00' }],
])('the problem of %s is %i, %s: %s', (fault, status, title, detail, more) => {
  expect(problemOf(faults[fault])).toEqual({ type: `/problems/${fault}`, status, title, detail, ...more });
});

it('a host that is none, or long, is told in short', () => {
  const detailOf = (host: string): string | undefined => problemOf({ type: 'misdirected', host }).detail;
  expect(detailOf('')).toBe(`No one host is named. ${ownNames}`);
  expect(detailOf('a'.repeat(300))).toBe(`The host "${'a'.repeat(100)}" is not served here. ${ownNames}`);
});

it('a problem names what there is in place of what was asked for', () => {
  const since = '2026-10-01T00:00:00.000Z';
  expect(problemOf({ type: 'not-recorded', since }).detail).toBe(`The record begins at ${since}.`);
  expect(problemOf({ type: 'not-recorded', since })).toMatchObject({ since });
  const detailOf = (known: string[]): string => problemOf({ type: 'unknown-parameter', name: 'x', known }).detail;
  expect(detailOf([])).toBe('There is no parameter "x". There are none here.');
  expect(detailOf(['a', 'b'])).toBe('There is no parameter "x". Known are a, b.');
  expect(problemOf(faults['not-there'])).toEqual({
    type: '/problems/not-found',
    status: 404,
    title: 'Not found',
    detail: 'There is no cluster nope. Nearest: a.',
    notThere: [{ parameter: 'cluster', value: 'nope', nearest: ['a'], on: 'b' }],
  });
});

it('what every list refuses is said once', () => {
  expect([badCursor, unreadable]).toEqual([
    { refused: { type: 'bad-parameter', name: 'cursor', message: 'is no cursor of this API' } },
    { refused: { type: 'not-ready', message: 'The record cannot be read now.' } },
  ]);
  expect([isRefused(badCursor), isRefused({ refusal: 1 })]).toEqual([true, false]);
});

describe('the API describes', () => {
  it.each(Object.values(faults))('every member of the problem of $type', (fault) => {
    const sent: unknown = JSON.parse(JSON.stringify(problemOf(fault)));
    expect(z.strictObject(WireProblem.shape).parse(sent)).toEqual(sent);
  });

  it.each(['exemptions', 'conflicts', 'changes', 'transitions', 'report', 'spans', 'arrivals'])(
    'that %s refuses names that are not there',
    (path) => {
      expect(answers(path)['404']?.description).toBe(
        'Nothing has a name that was asked for: `notThere` or `nearest` gives the nearest names',
      );
    },
  );

  it('that a list of the past refuses names, and moments that are not recorded', () => {
    expect(answers('absences')['404']?.description).toMatch(/^Nothing has a name .* Or: Nothing is recorded of/);
    expect(answers('clusters')['404']?.description).toMatch(/^Nothing is recorded of the moment/);
  });

  it('no refusal of names where none is asked for', () => {
    expect(Object.keys(answers('link'))).toEqual(['200', '400', 'default']);
    expect(Object.keys(answers('stream'))).toEqual(['200', '400', '404', 'default']);
  });
});
