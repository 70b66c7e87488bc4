import { describe, expect, it } from 'vitest';
import { gitLinks } from './git-links.ts';
import type { ConfiguredRepository } from './git-links.ts';

const A = '1111111111111111111111111111111111111111';
const B = '2222222222222222222222222222222222222222';

describe('links of the hosts', () => {
  it.each([
    [
      'github https',
      'https://github.com/acme/control.git',
      'https://github.com/acme/control/commit/A',
      'https://github.com/acme/control/tree/A/apps/web%20shop',
      'https://github.com/acme/control/compare/A...B',
    ],
    [
      'github scp',
      'git@github.com:acme/control.git',
      'https://github.com/acme/control/commit/A',
      'https://github.com/acme/control/tree/A/apps/web%20shop',
      'https://github.com/acme/control/compare/A...B',
    ],
    [
      'github ssh over 443',
      'ssh://git@ssh.github.com:443/acme/control',
      'https://github.com/acme/control/commit/A',
      'https://github.com/acme/control/tree/A/apps/web%20shop',
      'https://github.com/acme/control/compare/A...B',
    ],
    [
      'gitlab subgroup',
      'ssh://git@gitlab.com/acme/platform/control.git',
      'https://gitlab.com/acme/platform/control/-/commit/A',
      'https://gitlab.com/acme/platform/control/-/tree/A/apps/web%20shop',
      'https://gitlab.com/acme/platform/control/-/compare/A...B',
    ],
    [
      'bitbucket cloud',
      'https://user@bitbucket.org/acme/control.git',
      'https://bitbucket.org/acme/control/commits/A',
      'https://bitbucket.org/acme/control/src/A/apps/web%20shop',
      'https://bitbucket.org/acme/control/branches/compare/B%0DA',
    ],
    [
      'azure https',
      'https://acme@dev.azure.com/acme/My%20Project/_git/control',
      'https://dev.azure.com/acme/My%20Project/_git/control/commit/A',
      'https://dev.azure.com/acme/My%20Project/_git/control?path=%2Fapps%2Fweb%20shop&version=GCA',
      'https://dev.azure.com/acme/My%20Project/_git/control/branchCompare?baseVersion=GCA&targetVersion=GCB&_a=files',
    ],
    [
      'azure ssh v3',
      'git@ssh.dev.azure.com:v3/acme/platform/control',
      'https://dev.azure.com/acme/platform/_git/control/commit/A',
      'https://dev.azure.com/acme/platform/_git/control?path=%2Fapps%2Fweb%20shop&version=GCA',
      'https://dev.azure.com/acme/platform/_git/control/branchCompare?baseVersion=GCA&targetVersion=GCB&_a=files',
    ],
    [
      'azure ssh v3 as URL',
      'ssh://git@ssh.dev.azure.com/v3/acme/platform/control',
      'https://dev.azure.com/acme/platform/_git/control/commit/A',
      'https://dev.azure.com/acme/platform/_git/control?path=%2Fapps%2Fweb%20shop&version=GCA',
      'https://dev.azure.com/acme/platform/_git/control/branchCompare?baseVersion=GCA&targetVersion=GCB&_a=files',
    ],
    [
      'visualstudio https',
      'https://acme.visualstudio.com/DefaultCollection/platform/_git/control',
      'https://acme.visualstudio.com/DefaultCollection/platform/_git/control/commit/A',
      'https://acme.visualstudio.com/DefaultCollection/platform/_git/control?path=%2Fapps%2Fweb%20shop&version=GCA',
      'https://acme.visualstudio.com/DefaultCollection/platform/_git/control/branchCompare?baseVersion=GCA&targetVersion=GCB&_a=files',
    ],
    [
      'visualstudio ssh',
      'acme@vs-ssh.visualstudio.com:v3/acme/platform/control',
      'https://acme.visualstudio.com/platform/_git/control/commit/A',
      'https://acme.visualstudio.com/platform/_git/control?path=%2Fapps%2Fweb%20shop&version=GCA',
      'https://acme.visualstudio.com/platform/_git/control/branchCompare?baseVersion=GCA&targetVersion=GCB&_a=files',
    ],
    [
      'codeberg',
      'https://codeberg.org/acme/control',
      'https://codeberg.org/acme/control/commit/A',
      'https://codeberg.org/acme/control/src/commit/A/apps/web%20shop',
      'https://codeberg.org/acme/control/compare/A...B',
    ],
    [
      'gitea.com',
      'git@gitea.com:acme/control.git',
      'https://gitea.com/acme/control/commit/A',
      'https://gitea.com/acme/control/src/commit/A/apps/web%20shop',
      'https://gitea.com/acme/control/compare/A...B',
    ],
    [
      'codecommit https',
      'https://git-codecommit.eu-west-3.amazonaws.com/v1/repos/control',
      'https://eu-west-3.console.aws.amazon.com/codesuite/codecommit/repositories/control/commit/A?region=eu-west-3',
      'https://eu-west-3.console.aws.amazon.com/codesuite/codecommit/repositories/control/browse/A/--/apps/web%20shop?region=eu-west-3',
      'https://eu-west-3.console.aws.amazon.com/codesuite/codecommit/repositories/control/compare/B/.../A?region=eu-west-3',
    ],
    [
      'codecommit ssh',
      'ssh://APKAEXAMPLE@git-codecommit.us-gov-west-1.amazonaws.com/v1/repos/control',
      'https://us-gov-west-1.console.amazonaws-us-gov.com/codesuite/codecommit/repositories/control/commit/A?region=us-gov-west-1',
      'https://us-gov-west-1.console.amazonaws-us-gov.com/codesuite/codecommit/repositories/control/browse/A/--/apps/web%20shop?region=us-gov-west-1',
      'https://us-gov-west-1.console.amazonaws-us-gov.com/codesuite/codecommit/repositories/control/compare/B/.../A?region=us-gov-west-1',
    ],
    [
      'codecommit grc',
      'codecommit::eu-west-3://profile@control',
      'https://eu-west-3.console.aws.amazon.com/codesuite/codecommit/repositories/control/commit/A?region=eu-west-3',
      'https://eu-west-3.console.aws.amazon.com/codesuite/codecommit/repositories/control/browse/A/--/apps/web%20shop?region=eu-west-3',
      'https://eu-west-3.console.aws.amazon.com/codesuite/codecommit/repositories/control/compare/B/.../A?region=eu-west-3',
    ],
  ])('%s', (_name, url, commit, tree, compare) => {
    const links = gitLinks(url);
    const real = (text: string): string => text.replace(/\bA\b|(?<=GC|%0D)A/g, A).replace(/\bB\b|(?<=GC)B/g, B);
    expect(links?.commit(A)).toBe(real(commit));
    expect(links?.tree(A, './apps/web shop/')).toBe(real(tree));
    expect(links?.compare(A, B)).toBe(real(compare));
  });
});

const configured: readonly ConfiguredRepository[] = [
  { url: 'https://git.example.org/other/unsaid.git', host: null },
  { url: 'https://git.example.org/acme/control.git', host: 'gitlab' },
  { url: 'https://bb.example.org:8443/git/scm/PLAT/control.git', host: 'bitbucket-datacenter' },
  { url: 'ssh://git@forge.example.org:2222/acme/control.git', host: 'forgejo' },
  { url: 'https://ghe.example.org/acme/control', host: 'github' },
  { url: 'https://tfs.example.org/tfs/Main/platform/_git/control', host: 'azure-devops' },
];

describe('self-hosted, by configuration', () => {
  it('an address of Bitbucket without a project has no pages', () => {
    const url = 'https://bb.example.org/control';
    expect(gitLinks(url, [{ url, host: 'bitbucket-datacenter' }])).toBeNull();
  });

  it.each([
    ['http://git.example.org/acme/control', 'http://git.example.org'],
    ['http://git.example.org:8080/acme/control', 'http://git.example.org:8080'],
    ['https://GIT.example.org/acme/control', 'https://git.example.org'],
    ['git+ssh://git@git.example.org:22/acme/control', 'https://git.example.org'],
  ])('%s is opened at %s', (url, origin) => {
    const links = gitLinks(url, [{ url, host: 'gitlab' }]);
    expect(links?.commit(A)).toBe(`${origin}/acme/control/-/commit/${A}`);
  });

  it.each([
    [
      'gitlab, same repository',
      'https://git.example.org/acme/control',
      `https://git.example.org/acme/control/-/commit/${A}`,
    ],
    [
      'gitlab, fetched by ssh with a port that is dropped',
      'ssh://git@git.example.org:7999/acme/control.git',
      `https://git.example.org/acme/control/-/commit/${A}`,
    ],
    [
      'gitlab, another repository on the same host',
      'git@git.example.org:acme/apps.git',
      `https://git.example.org/acme/apps/-/commit/${A}`,
    ],
    [
      'bitbucket with context, port of https kept',
      'https://bb.example.org:8443/git/scm/PLAT/control.git',
      `https://bb.example.org:8443/git/projects/PLAT/repos/control/commits/${A}`,
    ],
    [
      'bitbucket by ssh, port 7999 dropped',
      'ssh://git@bb.example.org:7999/PLAT/control.git',
      `https://bb.example.org/projects/PLAT/repos/control/commits/${A}`,
    ],
    [
      'bitbucket, personal project',
      'https://bb.example.org/scm/~ada/control.git',
      `https://bb.example.org/users/ada/repos/control/commits/${A}`,
    ],
    [
      'forgejo by ssh',
      'ssh://git@forge.example.org:2222/acme/control.git',
      `https://forge.example.org/acme/control/commit/${A}`,
    ],
    ['github enterprise', 'git@ghe.example.org:acme/control.git', `https://ghe.example.org/acme/control/commit/${A}`],
    [
      'azure devops server',
      'https://tfs.example.org/tfs/Main/platform/_git/control',
      `https://tfs.example.org/tfs/Main/platform/_git/control/commit/${A}`,
    ],
  ])('%s', (_name, url, commit) => {
    expect(gitLinks(url, configured)?.commit(A)).toBe(commit);
  });

  it('bitbucket data center: tree and compare', () => {
    const links = gitLinks('https://bb.example.org/scm/PLAT/control.git', configured);
    expect(links?.tree(A, 'apps/web')).toBe(
      `https://bb.example.org/projects/PLAT/repos/control/browse/apps/web?at=${A}`,
    );
    expect(links?.compare(A, B)).toBe(
      `https://bb.example.org/projects/PLAT/repos/control/compare/commits?sourceBranch=${B}&targetBranch=${A}`,
    );
  });
});

describe('what is no link', () => {
  it.each([
    ['unknown host', 'https://git.nowhere.example/acme/control.git'],
    ['javascript', 'javascript:alert(1)//github.com/acme/control'],
    ['javascript with authority', 'javascript://github.com/acme/control%0aalert(1)'],
    ['data', 'data:text/html,github.com/acme/control'],
    ['file', 'file:///github.com/acme/control'],
    ['OCI', 'oci://ghcr.io/acme/control'],
    ['empty', ''],
    ['no path', 'https://github.com/'],
    ['a user only', 'https://github.com/acme'],
    ['too deep for GitHub', 'https://github.com/acme/control/extra'],
    ['dots in the path', 'git@github.com:../control'],
    ['bad escapes', 'https://github.com/acme/%E0%A4%A'],
    ['a host that only ends alike', 'https://github.com.evil.example/acme/control'],
    ['azure without _git', 'https://dev.azure.com/acme/platform/control'],
    ['azure with more than a repository', 'https://dev.azure.com/acme/platform/_git/control/extra'],
    ['azure with no repository', 'https://dev.azure.com/acme/platform/_git'],
  ])('%s', (_name, url) => {
    expect(gitLinks(url)).toBeNull();
  });

  it('never carries user information on', () => {
    const links = gitLinks('https://ada:s3cret@github.com/acme/control.git');
    expect(links?.commit(A)).toBe(`https://github.com/acme/control/commit/${A}`);
  });

  it('quotes, spaces and angle brackets are encoded', () => {
    expect(gitLinks('https://gitlab.com/acme/con"><script>')?.commit(A)).toBe(
      `https://gitlab.com/acme/con%22%3E%3Cscript%3E/-/commit/${A}`,
    );
  });

  it.each(['main', 'refs/heads/main', '', `${A}"`, 'ABCDEF1', '../x'])('revision %j is none', (sha) => {
    const links = gitLinks('https://github.com/acme/control');
    expect(links?.commit(sha)).toBeNull();
    expect(links?.tree(sha, 'apps')).toBeNull();
    expect(links?.compare(sha, A)).toBeNull();
  });

  it('a path that climbs is none', () => {
    expect(gitLinks('https://github.com/acme/control')?.tree(A, 'apps/../../x')).toBeNull();
  });
});

it.each([
  ['ssh://git@altssh.gitlab.com:443/acme/control.git', 'https://gitlab.com/acme/control/-/commit/A'],
  ['ssh://git@altssh.bitbucket.org:443/acme/control.git', 'https://bitbucket.org/acme/control/commits/A'],
  ['https://acme.ghe.com/acme/control', 'https://acme.ghe.com/acme/control/commit/A'],
  [
    'https://git-codecommit.cn-north-1.amazonaws.com.cn/v1/repos/control',
    'https://cn-north-1.console.amazonaws.cn/codesuite/codecommit/repositories/control/commit/A?region=cn-north-1',
  ],
  ['git@ssh.dev.azure.com:v3/acme/platform', null],
  ['git@ssh.dev.azure.com:v3/acme/platform/control/more', null],
  ['git@ssh.dev.azure.com:v2/acme/platform/control', null],
  ['https://dev.azure.com/v3/acme/platform/control', null],
  ['https://dev.azure.com/acme/platform/control', null],
  ['https://dev.azure.com/_git', null],
  ['https://acme.visualstudio.com/_git/control', 'https://acme.visualstudio.com/_git/control/commit/A'],
  ['https://dev.azure.com/acme/_git/control/more', null],
  ['https://git-codecommit.eu-west-3.amazonaws.com/v1/repos', null],
  ['https://git-codecommit.eu-west-3.amazonaws.com/v1/repos/control/more', null],
  ['https://git-codecommit.eu-west-3.amazonaws.com/v2/repos/control', null],
  ['https://git-codecommit.eu-west-3.amazonaws.com/v1/repo/control', null],
  ['https://github.com/acme/../control', null],
  ['https://github.com/acme/./control', 'https://github.com/acme/control/commit/A'],
  ['https://github.com/acme/control/', 'https://github.com/acme/control/commit/A'],
  ['https://github.com/', null],
])('a commit of %s is at %s', (url, commit) => {
  expect(gitLinks(url)?.commit(A) ?? null).toBe(commit && commit.replace(/\bA\b/, A));
});

it.each([...'javascript data vbscript file mailto blob about http https ssh git oci'.split(' '), 'JavaScript'])(
  '%s is no host, though what follows looks like a path',
  (scheme) => {
    expect(gitLinks(`${scheme}:acme/control`, [{ url: `https://${scheme}/x`, host: 'github' }])).toBeNull();
  },
);
