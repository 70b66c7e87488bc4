import { expect, it } from 'vitest';
import { publicHost } from './host.ts';

it.each([
  ['github.com', 'github'],
  ['ssh.github.com', 'github'],
  ['acme.ghe.com', 'github'],
  ['gitlab.com', 'gitlab'],
  ['altssh.gitlab.com', 'gitlab'],
  ['bitbucket.org', 'bitbucket-cloud'],
  ['altssh.bitbucket.org', 'bitbucket-cloud'],
  ['dev.azure.com', 'azure-devops'],
  ['ssh.dev.azure.com', 'azure-devops'],
  ['vs-ssh.visualstudio.com', 'azure-devops'],
  ['acme.visualstudio.com', 'azure-devops'],
  ['codeberg.org', 'gitea'],
  ['gitea.com', 'gitea'],
  ['git-codecommit.eu-west-3.amazonaws.com', 'codecommit'],
  ['git-codecommit-fips.us-east-1.amazonaws.com', 'codecommit'],
  ['git-codecommit.cn-north-1.amazonaws.com.cn', 'codecommit'],
  ['git.example.com', null],
])('%s is of %s', (name, host) => {
  expect(publicHost(name)).toBe(host);
});
