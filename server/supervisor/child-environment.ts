type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that every child may have of the supervisor's environment. `*` at the end stands for any end. */
const ofEverybody: readonly string[] = [
  'PATH',
  'HOME',
  'LANG',
  'LC_*',
  'TZ',
  'TMPDIR',
  'TMP',
  'TEMP',
  'LD_LIBRARY_PATH',
  'LD_PRELOAD',
  // libfaketime: a clock that is set wrong, to try what that does.
  'FAKETIME*',
  'NODE_OPTIONS',
  'PLUMBLINE_LOG_LEVEL',
  // Windows finds its own libraries and the person's folder by these.
  'SYSTEMROOT',
  'WINDIR',
  'USERPROFILE',
  'PATHEXT',
  'COMSPEC',
];

/** Variables by which a process finds API servers and trusts them. */
export const clusterAccess: readonly string[] = ['KUBECONFIG', 'NODE_EXTRA_CA_CERTS'];

/** Variables that kubectl's credential plugins read: those of a context that a person chose by name run as kubectl runs them. */
export const kubectlPlugins: readonly string[] = [
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'ALL_PROXY',
  'USER',
  'LOGNAME',
  'XDG_*',
  'SSH_AUTH_SOCK',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'BROWSER',
  'DBUS_SESSION_BUS_ADDRESS',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
  'AWS_*',
  'AZURE_*',
  'AAD_*',
  'ARM_*',
  'IDENTITY_*',
  'MSI_*',
  'GOOGLE_*',
  'CLOUDSDK_*',
  'GCLOUD_*',
  'OCI_*',
  'DIGITALOCEAN_*',
  'SCW_*',
  'OS_*',
  'TELEPORT_*',
  'TSH_*',
  'VAULT_*',
];

/** The variables of `own` that a child gets: those of every child, and those named in `inherits`, in any case: https_proxy is HTTPS_PROXY. */
export function inheritedEnvironment(own: Environment, inherits: readonly string[]): Readonly<Record<string, string>> {
  const allowed = [...ofEverybody, ...inherits];
  const exact = new Set(allowed.filter((name) => !name.endsWith('*')));
  const begins = allowed.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  const kept = Object.entries(own).flatMap(([name, value]): [string, string][] => {
    const upper = name.toUpperCase();
    const isKept = exact.has(upper) || begins.some((start) => upper.startsWith(start));
    return isKept && value !== undefined ? [[name, value]] : [];
  });
  return Object.fromEntries(kept);
}
