import { booleanAt, type ForeignObject, parseForeign, textAt, timeAt } from '#lib/foreign.ts';
import type { Clock } from '#server/runtime/clock.ts';
import { type Failure, failure } from '../answer.ts';
import { redact, saying } from '../redact.ts';
import { type AllowedRun, allowedRun, type ExecPolicy } from './exec-allowed.ts';
import { runPlugin } from './run-plugin.ts';

/** The status of the ExecCredential that a plugin gave. */
export interface ExecCredential {
  readonly token: string | null;
  readonly cert: string | null;
  readonly key: string | null;
}

/** users[].user.exec of a kubeconfig, and the folder that a relative command is relative to. */
export interface ExecPlugin {
  readonly exec: ForeignObject;
  readonly folder: string;
  /** Passed on where provideClusterInfo is set. */
  readonly cluster: { readonly server: string; readonly caData: string | null; readonly insecure: boolean };
}

export interface ExecPluginDeps {
  readonly plugin: ExecPlugin;
  readonly policy: ExecPolicy;
  readonly clock: Clock;
  /** ms that one run may take. */
  readonly timeout?: number;
}

/** A credential that is got by running a program, kept until shortly before it expires. */
export type ExecSource = ReturnType<typeof createExecSource>;

const expirySkew = 60_000;
const failureKept = 5_000;
const leastKept = 1_000;

/** Makes the source; nothing runs before the first `get`. Runs are shared, a failure is kept for 5 s. */
export function createExecSource({ plugin, policy, clock, timeout = 30_000 }: ExecPluginDeps) {
  type Ran = { readonly type: 'ok'; readonly credential: ExecCredential; readonly expires: number | null } | Failure;
  type Got = { readonly type: 'ok'; readonly credential: ExecCredential } | Failure;
  let kept: { readonly got: Promise<Got>; until: number } | null = null;

  async function start(): Promise<Ran> {
    const run = allowedRun(plugin.exec, plugin.folder, policy);
    if (run.type === 'fault') return run;
    const output = await credentialText(run, plugin, timeout);
    return output.type === 'fault' ? output : readCredential(output.text, plugin);
  }

  return {
    get(): Promise<{ readonly type: 'ok'; readonly credential: ExecCredential } | Failure> {
      if (kept !== null && clock.now() < kept.until) return kept.got;
      const began = clock.now();
      const got = start().then((result): Got => {
        if (result.type === 'fault') {
          mine.until = clock.now() + failureKept;
          return result;
        }
        const expires = result.expires ?? Infinity;
        // A short lifetime is used for most of it: a skew longer than the lifetime would run the plugin for each request.
        const until = expires - Math.min(expirySkew, Math.max(0, expires - began) * 0.2);
        // One that has expired already is refused by the server; for each request it runs nothing.
        mine.until = Math.max(until, clock.now() + leastKept);
        return { type: 'ok', credential: result.credential };
      });
      const mine = { got, until: Infinity };
      kept = mine;
      return got;
    },
    refresh(): void {
      kept = null;
    },
  };
}

function refused(message: string): Failure {
  return failure({ type: 'credentials', message });
}

async function credentialText(
  { path, args, env: given }: AllowedRun,
  { exec, cluster }: ExecPlugin,
  timeout: number,
): Promise<{ readonly type: 'ok'; readonly text: string } | Failure> {
  const info = booleanAt(exec, 'provideClusterInfo') === true ? { cluster: clusterInfo(cluster) } : {};
  const spec = { interactive: false, ...info };
  const told = { apiVersion: apiVersionOf(exec), kind: 'ExecCredential', spec };
  // Next's types want NODE_ENV in every environment.
  const env: NodeJS.ProcessEnv = {
    NODE_ENV: process.env.NODE_ENV,
    ...given,
    KUBERNETES_EXEC_INFO: JSON.stringify(told),
  };
  const failed = (words: string): Failure => refused(`the exec plugin ${redact(path)} ${words}`);
  try {
    const ran = await runPlugin(path, { args, env, timeout });
    switch (ran.type) {
      case 'ok':
        return ran;
      case 'too-long':
        return failed(`did not finish within ${timeout / 1_000} s`);
      case 'too-much':
        return failed('said more than 1 MB');
      case 'failed':
        return failed(`failed (${ran.code}): ${redact(ran.said) || 'it said nothing'}`);
    }
  } catch (error) {
    // Thrown where the system has no memory for it now, and where it is told too much (a certificate authority of 128 KB).
    return failed(`cannot be started: ${saying(error)}`);
  }
}

function clusterInfo({ server, caData, insecure }: ExecPlugin['cluster']): ForeignObject {
  return {
    server,
    ...(caData === null ? {} : { 'certificate-authority-data': caData }),
    ...(insecure ? { 'insecure-skip-tls-verify': true } : {}),
  };
}

function apiVersionOf(exec: ForeignObject): string {
  return textAt(exec, 'apiVersion') ?? 'client.authentication.k8s.io/v1';
}

function readCredential(
  text: string,
  { exec }: ExecPlugin,
): { type: 'ok'; credential: ExecCredential; expires: number | null } | Failure {
  const answer = parseForeign(text);
  if (answer === null || textAt(answer, 'kind') !== 'ExecCredential')
    return refused('the exec plugin gave no ExecCredential');
  if (textAt(answer, 'apiVersion') !== apiVersionOf(exec))
    return refused('the exec plugin gave an ExecCredential of another apiVersion');
  const credential = {
    token: textAt(answer, 'status', 'token'),
    cert: textAt(answer, 'status', 'clientCertificateData'),
    key: textAt(answer, 'status', 'clientKeyData'),
  };
  if (credential.token === null && credential.cert === null)
    return refused('the exec plugin gave neither a token nor a certificate');
  return { type: 'ok', credential, expires: timeAt(answer, 'status', 'expirationTimestamp') };
}
