import { expect, it } from 'vitest';
import { parseRepositoryUrl } from './repository-url.ts';

const codecommit = 'git-codecommit.eu-west-3.amazonaws.com';

it.each<[text: string, scheme: 'https' | 'http', authority: string, segments: string[], transport: 'http' | 'ssh']>([
  ['codecommit::eu-west-3://control', 'https', codecommit, ['v1', 'repos', 'control'], 'ssh'],
  ['codecommit::eu-west-3://me@control', 'https', codecommit, ['v1', 'repos', 'control'], 'ssh'],
  ['git@github.com:acme/control.git', 'https', 'github.com', ['acme', 'control'], 'ssh'],
  ['GitHub.com:acme/control', 'https', 'github.com', ['acme', 'control'], 'ssh'],
  ['ssh://git@git.acme.io:2222/acme/control', 'https', 'git.acme.io', ['acme', 'control'], 'ssh'],
  ['git+ssh://git@git.acme.io/acme/control', 'https', 'git.acme.io', ['acme', 'control'], 'ssh'],
  ['https://git.acme.io:8443/acme//my%20control.git/', 'https', 'git.acme.io:8443', ['acme', 'my control'], 'http'],
  ['http://git.acme.io/acme/control', 'http', 'git.acme.io', ['acme', 'control'], 'http'],
])('%s is read', (text, scheme, authority, segments, transport) => {
  const [hostname = ''] = authority.split(':');
  expect(parseRepositoryUrl(text)).toEqual({ scheme, hostname, authority, segments, transport });
});

it.each([
  '',
  'git.acme.io:',
  'data:acme/control',
  'https://git.acme.io',
  'https://git.acme.io/acme/.git',
  '/srv/control',
])('%j is no repository', (text) => {
  expect(parseRepositoryUrl(text)).toBeNull();
});
