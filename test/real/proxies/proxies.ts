// Real proxies in front of Plumbline, with the rules that the documents give.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { installProgram } from '../build.ts';
import { freePorts } from '../harness/ports.ts';
import { mustCome } from '../harness/until.ts';
import { proxies } from '../programs.ts';
import { notRun } from '../report.ts';

export interface Proxy {
  readonly name: 'nginx' | 'caddy';
  readonly binary: string;
}

export interface RunningProxy {
  /** Where it listens. */
  readonly origin: string;
  stop(): Promise<void>;
}

/** Ports of programs in this run. */
export interface Behind {
  /** Port of Plumbline. */
  readonly plumbline: number;
  /** Port of the program that knows who is logged in. */
  readonly login: number;
}

/** The real nginx and the real Caddy. Without one of them nothing is played, and the report says why under the given name. */
export async function installedProxies(name: string): Promise<readonly Proxy[]> {
  const say = (line: string): void => void process.stdout.write(`  ${line}\n`);
  const results = await Promise.all(proxies.map((proxy) => installProgram(proxy, say)));
  const refused = results.flatMap((result) => (result.type === 'refused' ? [result] : []));
  if (refused.length > 0) {
    const reason = refused.map(({ program, why }) => `${program} could not be installed: ${why}`).join('; ');
    await notRun([{ name, reason }]);
    return [];
  }
  const binaryOf = (program: Proxy['name']): readonly Proxy[] =>
    results.flatMap((one) =>
      one.type === 'built' && one.program === program ? [{ name: program, binary: one.binary }] : [],
    );
  return [...binaryOf('nginx'), ...binaryOf('caddy')];
}

/** Starts one by the rules of a document (its one block of code in the language of the proxy), with the ports of this run in place of those that it names. `folder` holds its files. */
export async function startProxy(
  { name, binary }: Proxy,
  document: string,
  behind: Behind,
  folder: string,
): Promise<RunningProxy> {
  const [own = 0] = await freePorts(1);
  const path = join(folder, `${name}.conf`);
  const rules = onThesePorts(await rulesOf(document, name), own, behind);
  await writeFile(path, name === 'nginx' ? nginxFile(rules, folder) : caddyFile(rules));
  const home = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const args =
    name === 'nginx' ? ['-e', 'stderr', '-p', folder, '-c', path] : ['run', '--adapter', 'caddyfile', '--config', path];
  const child = spawn(binary, args, { stdio: 'ignore', env: { ...process.env, ...home } });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit');
  };
  await mustCome(name, () => answers(own), 20_000).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { origin: `http://127.0.0.1:${own}`, stop };
}

async function rulesOf(document: string, language: string): Promise<string> {
  const text = await readFile(join(import.meta.dirname, '..', '..', '..', 'docs', document), 'utf8');
  const blocks = [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))];
  if (blocks.length !== 1) throw new Error(`docs/${document} has ${blocks.length} blocks of ${language}`);
  return blocks[0]?.[1] ?? '';
}

function onThesePorts(rules: string, own: number, { plumbline, login }: Behind): string {
  const ports: readonly (readonly [string, number])[] = [
    ['8080', own],
    ['3000', plumbline],
    ['4180', login],
  ];
  return ports.reduce((text, [written, here]) => text.replaceAll(new RegExp(`:${written}\\b`, 'g'), `:${here}`), rules);
}

function nginxFile(rules: string, folder: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((each) => `${each}_temp_path ${join(folder, each)};`)
    .join(' ');
  return `
daemon off; master_process off; pid ${join(folder, 'nginx.pid')}; error_log stderr; events {}
http {
  access_log off;
  ${temporary}
  ${rules}
}`;
}

function caddyFile(rules: string): string {
  return `{\n  admin off\n  auto_https off\n  default_bind 127.0.0.1\n}\n${rules}`;
}

/** Connects; rejects where nobody listens yet. */
async function answers(port: number): Promise<true> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect').finally(() => socket.destroy());
  return true;
}
