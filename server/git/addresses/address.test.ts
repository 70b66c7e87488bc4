import { describe, expect, it } from 'vitest';
import { configuredAddress, foundAddress } from './address.ts';

describe('configured', () => {
  it.each([
    ['https://git.example.org/acme/control.git', 'https', 'git.example.org', 443],
    ['https://git.example.org:8443/acme/control', 'https', 'git.example.org', 8443],
    ['http://git.example.org/a', 'http', 'git.example.org', 80],
    ['ssh://git@git.example.org:7999/acme/control.git', 'ssh', 'git.example.org', 7999],
    ['git+ssh://git@git.example.org/acme/control.git', 'ssh', 'git.example.org', 22],
    ['git@git.example.org:acme/control.git', 'ssh', 'git.example.org', 22],
    ['file:///srv/control.git', 'file', null, null],
    ['/srv/control.git', 'file', null, null],
  ])('%s by %s', (url, protocol, host, port) => {
    expect(configuredAddress(url)).toMatchObject({ type: 'address', protocol, host, port });
  });

  it.each([
    '--upload-pack=touch /tmp/x',
    '-oProxyCommand=x:y',
    'ext::sh -c id',
    'ext::id',
    'git://git.example.org/a',
    'ssh://-oProxyCommand=id/a',
    'ssh://-oProxyCommand=id@git.example.org/a',
    'ssh://%2DoProxyCommand=id@git.example.org/a',
    'https://git.example.org\\@evil.example/a',
    'git@host:-oProxyCommand=id',
    'https://git.example.org/a\nb',
    'https://git.example.org/\u202Ea',
    'https://me:secret@git.example.org/a',
    'https:///a',
    'javascript:alert(1)',
    '',
    `https://git.example.org/${'a'.repeat(3_000)}`,
  ])('%j is refused', (url) => {
    expect(configuredAddress(url).type).toBe('refused');
  });
});

describe('found on a cluster', () => {
  it('goes by https, without user information and question', () => {
    expect(foundAddress('https://token:x@Git.Example.org/acme/control.git?x=1#y')).toEqual({
      type: 'address',
      url: 'https://git.example.org/acme/control.git',
      protocol: 'https',
      host: 'git.example.org',
      port: 443,
    });
  });

  it.each([
    'http://git.example.org/a',
    'ssh://git@git.example.org/a',
    'git@git.example.org:a/b',
    'file:///etc',
    '/etc',
    'https://127.0.0.1/a',
    'https://0x7f.1/a',
    'https://2130706433/a',
    'https://[::1]/a',
    'https://169.254.169.254/latest',
    'https://localhost/a',
    'https://gitea/a',
    'https://metadata.google.internal/a',
    'https://printer.local/a',
    '-https://git.example.org/a',
    'https://git.example.org/a\u0000',
  ])('%j is refused', (url) => {
    expect(foundAddress(url).type).toBe('refused');
  });
});
