import type { GitHost } from './host.ts';
import type { RepositoryUrl } from './repository-url.ts';

/** Pages of one repository. Revisions are full or short hex; `path` is clean, its segments still to be encoded. */
export interface HostPages {
  commit(sha: string): string;
  tree(sha: string, path: readonly string[]): string;
  compare(from: string, to: string): string;
  /** null where the software has none by number alone. */
  pullRequest(number: number): string | null;
}

const table: { readonly [host in GitHost]: (url: RepositoryUrl) => HostPages | null } = {
  github: (url) => simple(url, 2, { commit: 'commit', tree: 'tree', compare: 'compare', pullRequest: 'pull' }),
  gitlab: (url) =>
    simple(url, Infinity, {
      commit: '-/commit',
      tree: '-/tree',
      compare: '-/compare',
      pullRequest: '-/merge_requests',
    }),
  gitea: forgejo,
  forgejo,
  'bitbucket-cloud': bitbucketCloud,
  'bitbucket-datacenter': bitbucketDatacenter,
  'azure-devops': azureDevOps,
  codecommit,
};

/** The pages of a repository on the software `host`; null where the path is none that this software has. */
export function hostPages(host: GitHost, url: RepositoryUrl): HostPages | null {
  return table[host](url);
}

function join(segments: readonly string[]): string {
  return segments.map(encodeURIComponent).join('/');
}

function under(base: string, path: readonly string[]): string {
  return path.length === 0 ? base : `${base}/${join(path)}`;
}

function site(url: RepositoryUrl): string {
  const alias: { readonly [hostname: string]: string } = {
    'ssh.github.com': 'github.com',
    'altssh.gitlab.com': 'gitlab.com',
    'altssh.bitbucket.org': 'bitbucket.org',
  };
  return `${url.scheme}://${alias[url.hostname] ?? url.authority}`;
}

function simple(
  url: RepositoryUrl,
  depth: number,
  words: { commit: string; tree: string; compare: string; pullRequest: string },
): HostPages | null {
  if (url.segments.length < 2 || url.segments.length > depth) return null;
  const base = `${site(url)}/${join(url.segments)}`;
  return {
    commit: (sha) => `${base}/${words.commit}/${sha}`,
    tree: (sha, path) => under(`${base}/${words.tree}/${sha}`, path),
    compare: (from, to) => `${base}/${words.compare}/${from}...${to}`,
    pullRequest: (number) => `${base}/${words.pullRequest}/${number}`,
  };
}

/** Forgejo kept Gitea's paths; a self-hosted one may live under a context path. */
function forgejo(url: RepositoryUrl): HostPages | null {
  return simple(url, Infinity, { commit: 'commit', tree: 'src/commit', compare: 'compare', pullRequest: 'pulls' });
}

/** Bitbucket Cloud: the newer revision first, parted by an encoded carriage return. */
function bitbucketCloud(url: RepositoryUrl): HostPages | null {
  if (url.segments.length !== 2) return null;
  const base = `${site(url)}/${join(url.segments)}`;
  return {
    commit: (sha) => `${base}/commits/${sha}`,
    tree: (sha, path) => under(`${base}/src/${sha}`, path),
    compare: (from, to) => `${base}/branches/compare/${to}%0D${from}`,
    pullRequest: (number) => `${base}/pull-requests/${number}`,
  };
}

/** Bitbucket Data Center: [context/]scm/PROJECT/repo by http, PROJECT/repo by ssh; ~name is a personal project. */
function bitbucketDatacenter(url: RepositoryUrl): HostPages | null {
  const segments = url.segments.filter((segment, index) => segment !== 'scm' || index !== url.segments.length - 3);
  const [project, name] = segments.slice(-2);
  if (project === undefined || name === undefined) return null;
  const owner = project.startsWith('~')
    ? `users/${encodeURIComponent(project.slice(1))}`
    : `projects/${encodeURIComponent(project)}`;
  const base = `${[site(url), ...segments.slice(0, -2).map(encodeURIComponent)].join('/')}/${owner}/repos/${encodeURIComponent(name)}`;
  return {
    commit: (sha) => `${base}/commits/${sha}`,
    tree: (sha, path) => `${under(`${base}/browse`, path)}?at=${sha}`,
    compare: (from, to) => `${base}/compare/commits?sourceBranch=${to}&targetBranch=${from}`,
    pullRequest: (number) => `${base}/pull-requests/${number}`,
  };
}

function azureDevOps(url: RepositoryUrl): HostPages | null {
  const base = azureBase(url);
  if (base === null) return null;
  return {
    commit: (sha) => `${base}/commit/${sha}`,
    tree: (sha, path) => `${base}?path=${encodeURIComponent(`/${path.join('/')}`)}&version=GC${sha}`,
    compare: (from, to) => `${base}/branchCompare?baseVersion=GC${from}&targetVersion=GC${to}&_a=files`,
    pullRequest: (number) => `${base}/pullrequest/${number}`,
  };
}

/** The repository's page: [collection/]project/_git/repo; by ssh to the public service v3/organisation/project/repo. */
function azureBase(url: RepositoryUrl): string | null {
  const [version, organisation, project, name] = url.segments;
  if (version === 'v3' && url.transport === 'ssh') {
    if (organisation === undefined || project === undefined || name === undefined || url.segments.length !== 4)
      return null;
    const tail = `${encodeURIComponent(project)}/_git/${encodeURIComponent(name)}`;
    return url.hostname === 'vs-ssh.visualstudio.com' && /^[A-Za-z0-9-]+$/.test(organisation)
      ? `https://${organisation.toLowerCase()}.visualstudio.com/${tail}`
      : `https://dev.azure.com/${encodeURIComponent(organisation)}/${tail}`;
  }
  const git = url.segments.indexOf('_git');
  if (git < 0 || git !== url.segments.length - 2) return null;
  return `${site(url)}/${join(url.segments)}`;
}

/** The console of the region that the host name carries; AWS China and GovCloud have consoles of their own. */
function codecommit(url: RepositoryUrl): HostPages | null {
  const region = /^git-codecommit(?:-fips)?\.([a-z0-9-]+)\.amazonaws\.com/.exec(url.hostname)?.[1];
  const [v1, repos, name] = url.segments;
  if (region === undefined || v1 !== 'v1' || repos !== 'repos' || name === undefined || url.segments.length !== 3)
    return null;
  const base = `https://${region}.${consoleDomain(region)}/codesuite/codecommit/repositories/${encodeURIComponent(name)}`;
  return {
    commit: (sha) => `${base}/commit/${sha}?region=${region}`,
    tree: (sha, path) => `${under(`${base}/browse/${sha}/--`, path)}?region=${region}`,
    compare: (from, to) => `${base}/compare/${to}/.../${from}?region=${region}`,
    pullRequest: (number) => `${base}/pull-requests/${number}`,
  };
}

function consoleDomain(region: string): string {
  if (region.startsWith('cn-')) return 'console.amazonaws.cn';
  return region.startsWith('us-gov-') ? 'console.amazonaws-us-gov.com' : 'console.aws.amazon.com';
}
