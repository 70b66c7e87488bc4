import { describe, expect, it } from 'vitest';
import { everyGrant } from '#lib/domain/access/scope.ts';
import { hour } from '#lib/domain/time/length.ts';
import { parseConfig } from '../load-config.ts';
import { problemLine } from '../problem.ts';
import { filesOf } from './auth-settings.ts';

const whole = `publicUrl: https://plumbline.example.org
clusters: [{ name: eu-1 }, { name: us-1 }]
auth:
  oidc:
    issuer: https://id.example.org/realms/main
    clientId: plumbline
    clientSecretFile: ./client-secret
    scopes: [openid, groups]
    groupsClaim: [realm_access, roles]
    groups: { 6f1c-guid: platform }
    sessionHours: 1.5
    logout: here
  proxy:
    issuer: https://proxy.example.org
    audience: plumbline
    algorithms: [ES256]
    jwks: ./jwks.json
    header: X-Proof
  teams:
    payments: [{ clusters: [eu-1], namespaces: [payments, '-'] }]
  access:
    - { groups: [platform], roles: [auditor], everything: true }
    - { groups: [payments], teams: [payments], labels: { region: eu } }
    - { subjects: ['https://proxy.example.org#ada'], clusters: [us-1] }
`;

describe('auth', () => {
  it('is read with every key, and with paths against the folder of the file', () => {
    const loaded = parseConfig(whole, '/srv');
    expect(loaded).toMatchObject({
      type: 'ok',
      config: {
        auth: {
          oidc: {
            issuer: 'https://id.example.org/realms/main',
            clientId: 'plumbline',
            clientSecretFile: '/srv/client-secret',
            scopes: ['openid', 'groups'],
            groups: { claim: ['realm_access', 'roles'], names: new Map([['6f1c-guid', 'platform']]) },
            sessionFor: 1.5 * hour,
            logout: 'here',
          },
          proxy: {
            issuer: 'https://proxy.example.org',
            audience: ['plumbline'],
            algorithms: ['ES256'],
            jwks: { type: 'file', at: '/srv/jwks.json' },
            header: 'x-proof',
            groups: { claim: ['groups'], names: new Map() },
          },
          access: [
            { groups: ['platform'], subjects: [], roles: ['auditor'], grants: null },
            {
              groups: ['payments'],
              roles: ['viewer'],
              grants: [
                { clusters: ['eu-1'], labels: {}, namespaces: ['payments', '-'] },
                { ...everyGrant, labels: { region: 'eu' } },
              ],
            },
            { subjects: ['https://proxy.example.org#ada'], grants: [{ ...everyGrant, clusters: ['us-1'] }] },
          ],
        },
      },
    });
    expect(loaded.type === 'ok' && loaded.config.auth && filesOf(loaded.config.auth)).toEqual([
      '/srv/client-secret',
      '/srv/jwks.json',
    ]);
  });

  it('of a team, with labels of none, opens no more than the team', () => {
    const text = whole.replace('labels: { region: eu }', 'labels: {}');
    const loaded = parseConfig(text, '/srv');
    expect(loaded.type === 'ok' && loaded.config.auth?.access[1]?.grants).toEqual([
      { clusters: ['eu-1'], labels: {}, namespaces: ['payments', '-'] },
    ]);
  });

  it.each([
    ['no publicUrl', ['publicUrl: https://plumbline.example.org\n', ''], 'auth needs publicUrl'],
    ['publicUrl over http', ['publicUrl: https:', 'publicUrl: http:'], '1:12: publicUrl must be https://'],
    [
      'an issuer over http',
      ['issuer: https://id', 'issuer: http://id'],
      'must be the issuer as the provider writes it',
    ],
    ['an issuer with a query', ['realms/main', 'realms/main?x'], 'must be the issuer as the provider writes it'],
    ['no openid', ['[openid, groups]', '[groups]'], 'must have openid among them'],
    ['a session without end', ['sessionHours: 1.5', 'sessionHours: 1000'], 'auth.oidc.sessionHours: '],
    ['an algorithm of a shared secret', ['[ES256]', '[HS256]'], 'auth.proxy.algorithms[0]: '],
    ['no algorithm', ['[ES256]', '[none]'], 'auth.proxy.algorithms[0]: '],
    [
      'keys over http',
      ['jwks: ./jwks.json', 'jwks: http://proxy.example.org/keys'],
      'must be an address of https://, or a file',
    ],
    ['a header of two', ['header: X-Proof', 'header: "X-Proof: a"'], 'must be the name of a header'],
    [
      'a team that is not there',
      ['teams: [payments], labels', 'teams: [paymnts], labels'],
      'auth.teams has no "paymnts": did you mean "payments"?',
    ],
    ['a cluster that is not there', ['clusters: [us-1] }\n', 'clusters: [us-2] }\n'], 'no cluster is called "us-2"'],
    [
      'a cluster of a team that is not there',
      ['{ clusters: [eu-1], name', '{ clusters: [eu-2], name'],
      'no cluster is called "eu-2"',
    ],
    [
      'a subject of nobody',
      ["'https://proxy.example.org#ada'", "'https://other.example.org#ada'"],
      'auth names no issuer https://other.example.org',
    ],
    ['a subject without its issuer', ["'https://proxy.example.org#ada'", 'ada@example.org'], 'must be ISSUER#SUBJECT'],
    ['a line about nobody', ['{ groups: [platform], roles', '{ roles'], 'must say whom it is about'],
    ['a line of nothing', [', everything: true }', ' }'], 'must say what they see'],
    [
      'everything, and more',
      ['everything: true }', 'everything: true, clusters: [eu-1] }'],
      'everything goes with nothing else',
    ],
    ['no clusters at all', ['clusters: [us-1] }\n', 'clusters: [] }\n'], 'auth.access[2].clusters: '],
    ['a role that there is not', ['roles: [auditor]', 'roles: [admin]'], 'auth.access[0].roles[0]: '],
    ['a namespace that none is called', ["[payments, '-']", '[Payments]'], 'must be a namespace'],
    [
      'a key of a team that there is not',
      ['namespaces: [payments', 'namespace: [payments'],
      'did you mean "namespaces"?',
    ],
    [
      'a key that there is not',
      ['sessionHours', 'sessionHors'],
      'unknown key "auth.oidc.sessionHors": did you mean "sessionHours"?',
    ],
  ])('with %s is refused, with the place', (_what, [from = '', to = ''], words) => {
    expect(whole).toContain(from);
    const loaded = parseConfig(whole.replace(from, to), '/srv');
    const lines = loaded.type === 'invalid' ? loaded.problems.map((problem) => problemLine('', problem)) : [];
    expect(lines.join('\n')).toContain(words);
    for (const line of lines) expect(line).toMatch(/^:\d+:\d+: /);
  });

  it('needs somebody who knows people', () => {
    const text = 'publicUrl: https://p.example.org\nauth: { access: [{ groups: [a], everything: true }] }\n';
    const loaded = parseConfig(text, '/srv');
    expect(loaded.type === 'invalid' && loaded.problems[0]?.message).toContain('oidc, proxy, or both');
  });
});
