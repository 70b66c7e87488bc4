import { describe, expect, it } from 'vitest';
import { writingVerbs } from './write-check.ts';

const review = (...resourceRules: readonly object[]): { [key: string]: unknown } => ({ status: { resourceRules } });

describe('writingVerbs', () => {
  it.each([
    ['a reader', review({ verbs: ['get', 'list', 'watch'], apiGroups: ['*'], resources: ['*'] }), []],
    [
      'what every user may',
      review({ verbs: ['create'], apiGroups: ['authorization.k8s.io'], resources: ['selfsubjectaccessreviews'] }),
      [],
    ],
    [
      'who they are, too',
      review({ verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] }),
      [],
    ],
    [
      'another group beside those',
      review({ verbs: ['create'], apiGroups: ['authentication.k8s.io', 'apps'], resources: ['*'] }),
      ['create'],
    ],
    ['a rule of no group', review({ verbs: ['create'], resources: ['*'] }), ['create']],
    ['an administrator', review({ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }), ['*']],
    [
      'an editor',
      review({ verbs: ['get', 'patch', 'create'], apiGroups: ['apps'], resources: ['deployments'] }),
      ['create', 'patch'],
    ],
    ['nothing', {}, []],
  ])('%s', (_, body, verbs) => {
    expect(writingVerbs(body)).toEqual(verbs);
  });
});
