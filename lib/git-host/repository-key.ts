import { withoutEnd } from '../text/without-end.ts';
import { publicHost } from './host.ts';
import { parseRepositoryUrl, type RepositoryUrl } from './repository-url.ts';

/**
 * One name for all addresses of a repository: "git.example.org/acme/control-repo", for ssh and https, with and without ".git" and user
 * information. A key is its own key. Letters of the path keep their case but on the public hosts that ignore it. What is no repository URL (a folder, file://) is
 * its own key, without a "file://" and a "/" at the end.
 */
export function repositoryKey(url: string): string {
  const parsed = keyWithPort.test(url) ? null : parseRepositoryUrl(url);
  if (parsed === null) return withoutEnd(url.trim().replace(/^file:\/\//, ''), '/');
  const { segments } = parsed;
  const path = (isBitbucketHttp(parsed) ? segments.slice(1) : segments).join('/');
  return `${parsed.authority}/${ignoresCase.has(parsed.hostname) ? path.toLowerCase() : path}`;
}

/** Bitbucket Data Center has a repository under /scm/PROJECT/NAME by http, under /PROJECT/NAME by ssh. On a public host "scm" is somebody's name. */
function isBitbucketHttp({ transport, hostname, segments }: RepositoryUrl): boolean {
  return transport === 'http' && segments.length === 3 && segments[0] === 'scm' && publicHost(hostname) === null;
}

/** Else it would be read as ssh has it: a folder 8443 of the host. */
const keyWithPort = /^[^\s@/:]+:\d{1,5}\/[^\s]/;

const ignoresCase: ReadonlySet<string> = new Set(['github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org']);
