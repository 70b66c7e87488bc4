import { describe, expect, it } from 'vitest';
import type { GitHost } from '#lib/git-host/host.ts';
import { ownerFileOf } from './code-owners.ts';

function owners(host: GitHost, file: string, path: string): string {
  return (
    ownerFileOf(host)
      ?.read(file)(path, () => undefined)
      .join(' ') ?? 'no file'
  );
}

// docs.github.com, "About code owners"
const githubFile = `
# A comment
*       @global-owner1 @global-owner2
*.js    @js-owner #This is an inline comment.
*.go docs@example.com
/build/logs/ @doctocat
docs/* docs@example.com
apps/ @octocat
/docs/ @doctocat
/scripts/ @doctocat @octocat
**/logs @octologs
/fleet/ @octocat
/fleet/github
/bad/[a-z] @nobody
!/bad/x @nobody
/named/ not-an-owner
`;

describe('GitHub', () => {
  it.each([
    ['README.md', '@global-owner1 @global-owner2'],
    ['src/deep/a.js', '@js-owner'],
    ['a.go', 'docs@example.com'],
    ['build/logs/a/b.txt', '@octologs'],
    ['other/build/logs.txt', '@global-owner1 @global-owner2'],
    ['docs/getting-started.md', '@doctocat'],
    ['docs/build-app/troubleshooting.md', '@doctocat'],
    ['apps/x/y.yaml', '@octocat'],
    ['deep/apps/x.yaml', '@octocat'],
    ['scripts/a.sh', '@doctocat @octocat'],
    ['a/logs/b/c', '@octologs'],
    ['fleet/gitlab/x', '@octocat'],
    ['fleet/github/x', ''],
    ['bad/x', '@global-owner1 @global-owner2'],
    ['named/x', '@global-owner1 @global-owner2'],
  ])('%s', (path, expected) => {
    expect(owners('github', githubFile, path)).toBe(expected);
  });

  it.each<[string, string, string]>([
    ['docs/* @a', 'docs/a.txt', '@a'],
    ['docs/* @a', 'docs/deep/a.txt', ''],
    ['docs/* @a', 'other/docs/a.txt', ''],
    ['docs/** @a', 'docs/deep/a.txt', '@a'],
    ['/*.txt @a', 'a.txt', '@a'],
    ['/*.txt @a', 'docs/a.txt', ''],
    ['/a?c @a', 'abc', '@a'],
    [String.raw`/with\ space @a`, 'with space', '@a'],
    ['/apps/foo @a', 'apps/foobar', ''],
    ['** @a', 'x/y', '@a'],
    ['/a/**/b @a', 'a/b', '@a'],
    ['/a/**/b @a', 'a/x/y/b/c', '@a'],
    ['* @a/b-c_d', 'x', '@a/b-c_d'],
  ])('%s on %s', (file, path, expected) => {
    expect(owners('github', file, path)).toBe(expected);
  });
});

// docs.gitlab.com, "Syntax of CODEOWNERS file"
const gitlabFile = `
* @default-owner
README.md @doc-team @tech-lead
*.rb @ruby-owner
/docs/ @all-docs
/docs/* @root-docs
/docs/**/*.md @markdown-docs

[Documentation] @docs-team
ee/docs
/config/
*.txt @txt

^[Optional][2] @opt
model/db/
!model/db/skip.rb

[DOCUMENTATION]
README.md @later
`;

describe('GitLab', () => {
  it.each([
    ['x', '@default-owner'],
    ['README.md', '@doc-team @tech-lead @later'],
    ['deep/README.md', '@doc-team @tech-lead @later'],
    ['app/models/a.rb', '@ruby-owner'],
    ['docs/x', '@root-docs'],
    ['docs/a/x', '@all-docs'],
    ['docs/a/x.md', '@markdown-docs'],
    ['config/x', '@default-owner @docs-team'],
    ['other/config/x', '@default-owner'],
    ['a/b.txt', '@default-owner @txt'],
    ['a/model/db/x.sql', '@default-owner @opt'],
    ['model/db/skip.rb', '@ruby-owner'],
  ])('%s', (path, expected) => {
    expect(owners('gitlab', gitlabFile, path)).toBe(expected);
  });

  it.each([
    [String.raw`path\ with\ spaces/ @a`, 'path with spaces/x', '@a'],
    [String.raw`\#file @a`, '#file', '@a'],
    ['/[ab]*.rb @a', 'beta.rb', '@a'],
    ['/[^a]x @a', 'ax', ''],
    ['/x @@maintainer', 'x', '@@maintainer'],
    ['/docs @a', 'docs/x', ''],
  ])('%s on %s', (file, path, expected) => {
    expect(owners('gitlab', file, path)).toBe(expected);
  });
});

// docs.gitea.com, "Code Owners"
const giteaFile = String.raw`
.*\\.go @user1 @user2 # This is a comment
frontend/src/.*\\.js @org1/team1 @user3
!frontend/src/.* @org1/team3
docs/(aws|google)/[^/]*\\.md @skipped
path\ with\ space @user2
deploy/[^/]+/x @user4
`;

describe('Gitea', () => {
  it.each([
    ['cmd/main.go', '@user1 @user2 @org1/team3'],
    ['frontend/src/a.js', '@org1/team1 @user3'],
    ['docs/aws/a.md', '@org1/team3'],
    ['path with space', '@org1/team3 @user2'],
    ['deploy/eu/x', '@org1/team3 @user4'],
    ['deploy/a/b/x', '@org1/team3'],
  ])('%s', (path, expected) => {
    expect(owners('gitea', giteaFile, path)).toBe(expected);
    expect(owners('forgejo', giteaFile, path)).toBe(expected);
  });
});

it('reads the groups and addresses of Bitbucket', () => {
  const file = '*.py baz@example.com @user\n/src/ @space/team:random(2) # comment\n';
  expect(owners('bitbucket-cloud', file, 'x.py')).toBe('baz@example.com @user');
  expect(owners('bitbucket-datacenter', file, 'src/a')).toBe('@space/team:random(2)');
});

it('knows no file of hosts that have none', () => {
  expect([ownerFileOf('azure-devops'), ownerFileOf('codecommit')]).toEqual([null, null]);
});

it('passes over what would take for ever, or is too much', () => {
  const stars = `/${'*a'.repeat(500)} @a\n`;
  expect(owners('github', stars, `${'a'.repeat(4_000)}b`)).toBe('');
  expect(owners('github', `/${'**/a/'.repeat(200)}b @a`, 'a/'.repeat(2_000))).toBe('');
  expect(owners('gitea', `${'a*'.repeat(500)} @a`, 'b'.repeat(4_000))).toBe('');
  expect(owners('github', `${'x'.repeat(2_000)} @a\n/y @b`, 'y')).toBe('@b');
  const many = Array.from({ length: 200 }, (_, n) => `@u${n}`).join(' ');
  expect(owners('github', `* ${many}`, 'x').split(' ')).toHaveLength(50);
});
