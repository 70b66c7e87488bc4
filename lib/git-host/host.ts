/** Software that serves a git repository's pages, as named in `repositories[].host` of plumbline.yaml. */
export const gitHosts = [
  'github',
  'gitlab',
  'bitbucket-cloud',
  'bitbucket-datacenter',
  'azure-devops',
  'gitea',
  'forgejo',
  'codecommit',
] as const;
/** Software that serves a git repository's pages. The names of plumbline.yaml. */
export type GitHost = (typeof gitHosts)[number];

const publicHosts: ReadonlyMap<string, GitHost> = new Map([
  ['github.com', 'github'],
  ['ssh.github.com', 'github'],
  ['gitlab.com', 'gitlab'],
  ['altssh.gitlab.com', 'gitlab'],
  ['bitbucket.org', 'bitbucket-cloud'],
  ['altssh.bitbucket.org', 'bitbucket-cloud'],
  ['dev.azure.com', 'azure-devops'],
  ['ssh.dev.azure.com', 'azure-devops'],
  ['vs-ssh.visualstudio.com', 'azure-devops'],
  ['codeberg.org', 'gitea'],
  ['gitea.com', 'gitea'],
]);

const publicSuffixes: readonly (readonly [RegExp, GitHost])[] = [
  [/^[a-z0-9-]+\.visualstudio\.com$/, 'azure-devops'],
  [/^[a-z0-9-]+\.ghe\.com$/, 'github'],
  [/^git-codecommit(?:-fips)?\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?$/, 'codecommit'],
];

/** The software behind a public host name (lower case); null where the name alone does not tell. */
export function publicHost(hostname: string): GitHost | null {
  const known = publicHosts.get(hostname);
  if (known !== undefined) return known;
  return publicSuffixes.find(([pattern]) => pattern.test(hostname))?.[1] ?? null;
}
