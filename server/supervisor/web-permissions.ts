import { join } from 'node:path';

/** Parts of the checkout that the pages are made of, and those that Next looks for. A kubeconfig that lies there is none of them. */
const ofTheCheckout: readonly string[] = [
  '.next',
  'app',
  'components',
  'lib',
  'node_modules',
  'public',
  'server',
  'static',
  'package.json',
  '.env*',
];

/** Files and folders of the web process; all absolute. */
export interface WebFiles {
  /** The checkout. */
  readonly root: string;
  readonly dataDirectory: string;
  /** Read beside: the configuration, the keys that sign links, what `auth` names. */
  readonly reads: readonly string[];
}

/**
 * Flags by which Node's permission model holds the web process: it reads what it serves, writes the lists of signed links and of access, starts no
 * other program and loads no native code. Of the network the model knows all or nothing, and the threads that read the store need
 * --allow-worker. None on Windows, where this was not tried.
 */
export function webPermissions({ root, dataDirectory, reads }: WebFiles): readonly string[] {
  if (process.platform === 'win32') return [];
  // The record, the list of links, that of tokens and ended sessions, the keys of sessions: each with what lies beside it. Not the folder: people
  // put kubeconfigs there.
  const data = ['plumbline.db*', 'links.db*', 'access.db*', 'session-keys.yaml*'].map((name) =>
    join(dataDirectory, name),
  );
  const read = [...ofTheCheckout.map((part) => join(root, part)), ...data, ...reads];
  const written = ['links.db', 'access.db', 'session-keys.yaml*', 'plumbline.db.condition'].map((name) =>
    join(dataDirectory, name),
  );
  // Before Node 25 the model leaves the network alone, and knows no such flag.
  const net = process.allowedNodeEnvironmentFlags.has('--allow-net') ? ['--allow-net'] : [];
  return [
    '--permission',
    ...net,
    '--allow-worker',
    '--disable-warning=PERM0006',
    '--disable-warning=ExperimentalWarning',
    ...read.map((path) => `--allow-fs-read=${path}`),
    ...written.map((path) => `--allow-fs-write=${path}`),
  ];
}
