/**
 * A repository URL in the parts that matter for links: no user information, no ssh port.
 * `scheme` is that of the web page to be built: http only where the repository itself is fetched by plain http.
 */
export interface RepositoryUrl {
  readonly scheme: 'https' | 'http';
  /** Lower case, without a port. */
  readonly hostname: string;
  /** host[:port] for the browser: the port of http(s) is kept, that of ssh says nothing about the web server. */
  readonly authority: string;
  /** Decoded segments, without empty ones and without the trailing ".git". */
  readonly segments: readonly string[];
  readonly transport: 'http' | 'ssh';
}

const SCP = /^(?:[^@/\s:]+@)?(?<host>[A-Za-z0-9.-]+):(?!\/\/)(?<path>[^\s]+)$/;
const GRC = /^codecommit::(?<region>[a-z0-9-]+):\/\/(?:[^@/\s]+@)?(?<name>[^/\s]+)$/;
const HOSTNAME = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$|^\[[0-9a-f:.]+\]$/;
/** Schemes that look like "host:path" to the scp pattern and are none. */
const NO_HOST = new Set([
  'javascript',
  'data',
  'vbscript',
  'file',
  'mailto',
  'blob',
  'about',
  'http',
  'https',
  'ssh',
  'git',
  'oci',
]);

/**
 * Reads http(s), ssh, git+ssh and scp forms (git@host:path) and git-remote-codecommit (codecommit::region://name).
 * null for anything else: files, javascript:, OCI addresses, text that is no URL. Never throws.
 */
export function parseRepositoryUrl(text: string): RepositoryUrl | null {
  const trimmed = text.trim();
  const grc = GRC.exec(trimmed)?.groups;
  if (grc?.['region'] && grc['name']) {
    return build('https', `git-codecommit.${grc['region']}.amazonaws.com`, '', ['v1', 'repos', grc['name']], 'ssh');
  }
  if (trimmed.includes('://')) return parseUrl(trimmed);
  const scp = SCP.exec(trimmed)?.groups;
  const host = scp?.['host']?.toLowerCase();
  if (!host || !scp?.['path'] || NO_HOST.has(host)) return null;
  return build('https', host, '', decodeSegments(scp['path']), 'ssh');
}

function parseUrl(text: string): RepositoryUrl | null {
  // WHATWG parses ssh as a scheme without a host model of its own: as https it is checked the same way.
  const ssh = /^(?:git\+)?ssh:\/\//i.test(text);
  const web = /^https?:\/\//i.test(text);
  if (!ssh && !web) return null;
  const parsed = URL.parse(ssh ? text.replace(/^[a-z+]+:/i, 'https:') : text);
  if (parsed === null) return null;
  const scheme = !ssh && parsed.protocol === 'http:' ? 'http' : 'https';
  return build(
    scheme,
    parsed.hostname.toLowerCase(),
    ssh ? '' : parsed.port,
    decodeSegments(parsed.pathname),
    ssh ? 'ssh' : 'http',
  );
}

function decodeSegments(path: string): string[] | null {
  try {
    const segments = path
      .split('/')
      .filter((segment) => segment !== '')
      .map(decodeURIComponent);
    // "a%2Fb" is another address than "a/b".
    return segments.some((segment) => segment.includes('/')) ? null : segments;
  } catch {
    return null;
  }
}

function build(
  scheme: 'https' | 'http',
  hostname: string,
  port: string,
  segments: readonly string[] | null,
  transport: 'http' | 'ssh',
): RepositoryUrl | null {
  if (segments === null || segments.length === 0 || !HOSTNAME.test(hostname)) return null;
  if (segments.some((segment) => segment === '.' || segment === '..')) return null;
  const last = segments.length - 1;
  const cleaned = segments.map((segment, index) => (index === last ? segment.replace(/\.git$/, '') : segment));
  if (cleaned[last] === '') return null;
  return { scheme, hostname, authority: port === '' ? hostname : `${hostname}:${port}`, segments: cleaned, transport };
}
