import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { WireProblem } from '#lib/api/problem.ts';
import { apiDocument } from '../endpoints/answer-api.ts';
import { sampleRef } from '../testing/sample.ts';
import { problemOf, type Fault } from './problem.ts';

const faults: { readonly [Type in Fault['type']]: Extract<Fault, { readonly type: Type }> } = {
  'method-not-allowed': { type: 'method-not-allowed', method: 'PUT' },
  'unknown-parameter': { type: 'unknown-parameter', name: 'knid', known: ['kind'] },
  'bad-parameter': { type: 'bad-parameter', name: 'limit', message: 'must be a number' },
  'not-there': { type: 'not-there', names: [{ parameter: 'cluster', value: 'nope', nearest: ['a'], on: 'b' }] },
  'not-found': { type: 'not-found', what: 'There is none.', nearest: [sampleRef({ name: 'web' })] },
  'not-recorded': { type: 'not-recorded', since: null },
  'too-many-streams': { type: 'too-many-streams' },
  'not-ready': { type: 'not-ready', message: 'Soon.' },
  forbidden: { type: 'forbidden', message: 'No.' },
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
    expect(answers('incidents')['404']?.description).toMatch(/^Nothing has a name .* Or: Nothing is recorded of/);
    expect(answers('clusters')['404']?.description).toMatch(/^Nothing is recorded of the moment/);
  });

  it('no refusal of names where none is asked for', () => {
    expect(Object.keys(answers('link'))).toEqual(['200', '400', 'default']);
    expect(Object.keys(answers('stream'))).toEqual(['200', '400', '404', 'default']);
  });
});
