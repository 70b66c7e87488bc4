import { expect, it } from 'vitest';
import { repositoryKey } from './repository-key.ts';

it.each([
  ['https://github.com/Acme/Control.git', 'github.com/acme/control'],
  ['git@git.example.org:acme/control.git', 'git.example.org/acme/control'],
  ['git.example.org:acme/control.git', 'git.example.org/acme/control'],
  ['ssh://git@git.example.org:2222/acme/control', 'git.example.org/acme/control'],
  ['https://git.example.org:8443/acme/control.git', 'git.example.org:8443/acme/control'],
  ['http://127.0.0.1:3000/control.git', '127.0.0.1:3000/control'],
  ['http://[::1]:3000/control.git', '[::1]:3000/control'],
  ['git@git.example.org:2222/control.git', 'git.example.org/2222/control'],
  ['https://git.example.org/scm/acme/control.git', 'git.example.org/acme/control'],
  ['ssh://git@git.example.org/scm/acme/control.git', 'git.example.org/scm/acme/control'],
  ['https://git.example.org/scm/group/acme/control', 'git.example.org/scm/group/acme/control'],
  ['https://git.example.org/scm/control', 'git.example.org/scm/control'],
  ['https://gitlab.com/scm/acme/control', 'gitlab.com/scm/acme/control'],
  ['https://git.example.org/acme%2Fcontrol', 'https://git.example.org/acme%2Fcontrol'],
  ['https://git.example.org/x%2F..%2Facme/control', 'https://git.example.org/x%2F..%2Facme/control'],
  ['/srv/control', '/srv/control'],
  ['file:///srv/control/', '/srv/control'],
])('gives one name to %s, which is its own name', (url, key) => {
  expect(repositoryKey(url)).toBe(key);
  expect(repositoryKey(key)).toBe(key);
});
