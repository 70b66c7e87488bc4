import { generateKeyPair, randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { flags } from './flags.ts';
import { type KubeClient, kubeClient } from './kube-client.ts';
import type { BedProcess, Processes } from './processes.ts';
import { mustCome } from './until.ts';

/** One cluster: a kube-apiserver with its own part of etcd. */
export interface ApiServer {
  readonly name: string;
  readonly process: BedProcess;
  readonly admin: KubeClient;
  /** Sees with Plumbline's present token what Plumbline may see. */
  plumbline(): KubeClient;
  /** Kubeconfig of the administrator. */
  readonly adminKubeconfig: string;
  /** Kubeconfig for Plumbline: the user `plumbline` by a token file. */
  readonly plumblineKubeconfig: string;
  /** The same, but for `http://` where the server speaks https: it answers 400 to all. */
  readonly plainKubeconfig: string;
  /** Issues a new token for Plumbline and revokes the old one when the server starts next. The token file keeps the old. */
  revokeToken(): Promise<void>;
  /** Writes the token that is valid into the token file. */
  deliverToken(): Promise<void>;
  /** Waits until it answers /readyz. */
  ready(): Promise<void>;
}

/** Starts one cluster and waits until it is ready. `folder` is its own; `etcd` the client URL; `port` its own for good. */
export async function startApiServer(
  processes: Processes,
  binary: string,
  options: {
    readonly name: string;
    readonly folder: string;
    readonly etcd: string;
    readonly port: number;
    /** Flags beyond those that every cluster of the bed has. */
    readonly flags?: { readonly [flag: string]: string };
  },
): Promise<ApiServer> {
  const { name, folder, port } = options;
  const file = (part: string): string => join(folder, part);
  await mkdir(folder, { recursive: true });
  const adminToken = randomBytes(24).toString('hex');
  let plumblineToken = randomBytes(24).toString('hex');
  const writeTokens = (): Promise<void> =>
    writeFile(file('tokens.csv'), `${adminToken},admin,1,"system:masters"\n${plumblineToken},plumbline,2\n`, {
      mode: 0o600,
    });
  const deliverToken = (): Promise<void> => writeFile(file('plumbline.token'), `${plumblineToken}\n`, { mode: 0o600 });
  await writeTokens();
  await deliverToken();
  const { privateKey } = await generateKey();
  await writeFile(file('sa.key'), privateKey, { mode: 0o600 });

  const server = processes.start({
    name: `apiserver-${name}`,
    command: binary,
    revive: false,
    args: flags({
      '--etcd-servers': options.etcd,
      '--etcd-prefix': `/${name}`,
      '--secure-port': String(port),
      '--bind-address': '127.0.0.1',
      '--cert-dir': file('certs'),
      '--token-auth-file': file('tokens.csv'),
      '--authorization-mode': 'RBAC',
      '--service-account-key-file': file('sa.key'),
      '--service-account-signing-key-file': file('sa.key'),
      '--service-account-issuer': 'https://kubernetes.default.svc',
      '--service-cluster-ip-range': '10.0.0.0/24',
      '--disable-admission-plugins': 'ServiceAccount',
      ...options.flags,
    }),
  });

  const url = `https://127.0.0.1:${port}`;
  const ca = await mustCome(
    `certificate of ${name}`,
    async () => {
      const text = await readFile(file('certs/apiserver.crt'), 'utf8');
      return text.includes('END CERTIFICATE') ? text : null;
    },
    60_000,
  );
  const admin = kubeClient(url, ca, adminToken);
  const ready = async (): Promise<void> => {
    await mustCome(`${name} ready`, async () => ((await admin.get('/readyz')).status === 200 ? true : null), 120_000);
  };
  await ready();
  await writeFile(file('admin.kubeconfig'), kubeconfig(name, url, ca, { token: adminToken }), { mode: 0o600 });
  await writeFile(file('plumbline.kubeconfig'), kubeconfig(name, url, ca, { tokenFile: file('plumbline.token') }), {
    mode: 0o600,
  });
  const plain = kubeconfig(name, url.replace('https:', 'http:'), ca, { tokenFile: file('plumbline.token') });
  await writeFile(file('plain.kubeconfig'), plain, { mode: 0o600 });

  return {
    name,
    process: server,
    admin,
    plumbline: () => kubeClient(url, ca, plumblineToken),
    adminKubeconfig: file('admin.kubeconfig'),
    plumblineKubeconfig: file('plumbline.kubeconfig'),
    plainKubeconfig: file('plain.kubeconfig'),
    async revokeToken() {
      plumblineToken = randomBytes(24).toString('hex');
      await writeTokens();
    },
    deliverToken,
    ready,
  };
}

function generateKey(): Promise<{ privateKey: string }> {
  return new Promise((resolve, reject) => {
    generateKeyPair(
      'rsa',
      {
        modulusLength: 2048,
        publicKeyEncoding: { type: 'spki', format: 'pem' },
        privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      },
      (failure, _publicKey, privateKey) => (failure === null ? resolve({ privateKey }) : reject(failure)),
    );
  });
}

/** A kubeconfig with one context, as JSON (which YAML readers read). */
function kubeconfig(name: string, server: string, ca: string, user: { readonly [field: string]: string }): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') } }],
    users: [{ name: 'user', user }],
    contexts: [{ name, context: { cluster: name, user: 'user' } }],
    'current-context': name,
  });
}
