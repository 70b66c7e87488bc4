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

/** Options for starting one cluster. */
interface ApiServerOptions {
  readonly name: string;
  /** Its own. */
  readonly folder: string;
  /** The client URL of etcd. */
  readonly etcd: string;
  /** Its own for good. */
  readonly port: number;
  /** Flags beyond those that every cluster of the bed has. */
  readonly flags?: { readonly [flag: string]: string };
}

type FileOf = (part: string) => string;

/** The tokens of a cluster's users, as the server reads them and as Plumbline does. */
interface Tokens {
  readonly admin: string;
  plumbline(): string;
  revoke(): Promise<void>;
  deliver(): Promise<void>;
}

async function writeTokens(file: FileOf): Promise<Tokens> {
  const admin = randomBytes(24).toString('hex');
  let plumbline = randomBytes(24).toString('hex');
  const save = (): Promise<void> =>
    writeSecret(file('tokens.csv'), `${admin},admin,1,"system:masters"\n${plumbline},plumbline,2\n`);
  const deliver = (): Promise<void> => writeSecret(file('plumbline.token'), `${plumbline}\n`);
  await save();
  await deliver();
  return {
    admin,
    plumbline: () => plumbline,
    async revoke() {
      plumbline = randomBytes(24).toString('hex');
      await save();
    },
    deliver,
  };
}

function writeSecret(path: string, text: string): Promise<void> {
  return writeFile(path, text, { mode: 0o600 });
}

function flagsOf(file: FileOf, { name, etcd, port, flags: more }: ApiServerOptions): readonly string[] {
  return flags({
    '--etcd-servers': etcd,
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
    ...more,
  });
}

/** Starts one cluster and waits until it is ready. */
export async function startApiServer(
  processes: Processes,
  binary: string,
  options: ApiServerOptions,
): Promise<ApiServer> {
  const { name, folder, port } = options;
  const file: FileOf = (part) => join(folder, part);
  await mkdir(folder, { recursive: true });
  const tokens = await writeTokens(file);
  const { privateKey } = await generateKey();
  await writeSecret(file('sa.key'), privateKey);
  const args = flagsOf(file, options);
  const server = processes.start({ name: `apiserver-${name}`, command: binary, revive: false, args });

  const url = `https://127.0.0.1:${port}`;
  const readCertificate = async (): Promise<string | null> => {
    const text = await readFile(file('certs/apiserver.crt'), 'utf8');
    return text.includes('END CERTIFICATE') ? text : null;
  };
  const ca = await mustCome(`certificate of ${name}`, readCertificate, 60_000);
  const admin = kubeClient(url, ca, tokens.admin);
  const ready = async (): Promise<void> => {
    await mustCome(`${name} ready`, async () => ((await admin.get('/readyz')).status === 200 ? true : null), 120_000);
  };
  await ready();
  const byToken = { tokenFile: file('plumbline.token') };
  await writeSecret(file('admin.kubeconfig'), kubeconfig(name, url, ca, { token: tokens.admin }));
  await writeSecret(file('plumbline.kubeconfig'), kubeconfig(name, url, ca, byToken));
  await writeSecret(file('plain.kubeconfig'), kubeconfig(name, url.replace('https:', 'http:'), ca, byToken));

  return {
    name,
    process: server,
    admin,
    plumbline: () => kubeClient(url, ca, tokens.plumbline()),
    adminKubeconfig: file('admin.kubeconfig'),
    plumblineKubeconfig: file('plumbline.kubeconfig'),
    plainKubeconfig: file('plain.kubeconfig'),
    revokeToken: () => tokens.revoke(),
    deliverToken: () => tokens.deliver(),
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
