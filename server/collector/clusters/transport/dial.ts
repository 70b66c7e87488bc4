import net from 'node:net';
import tls from 'node:tls';
import type { Clock } from '#server/runtime/clock.ts';
import type { TlsMaterial } from '../access.ts';
import { type Failure, failure } from '../answer.ts';
import { bareHost, openH1Link } from './h1-link.ts';
import { openH2Link } from './h2-link.ts';
import type { Link, LinkDeps, LinkEvents } from './link.ts';
import type { Pace } from './pace/pace.ts';
import { saying } from '../redact.ts';
import { saidOfDial } from './dial-error.ts';

export interface DialDeps extends LinkDeps {
  /** Shared by all links of the cluster. */
  readonly pace: Pace;
  readonly events: LinkEvents;
}

/** Opens one connection: HTTP/2 where the server agrees to it by ALPN, else HTTP/1.1 (and always for plain http). */
export async function dial({
  access,
  clock,
  tuning,
  pace,
  events,
}: DialDeps): Promise<{ type: 'ok'; link: Link } | Failure> {
  const material = await access.tls();
  if (material.type === 'fault') return material;
  const url = URL.parse(access.server);
  if (url === null) return failure({ type: 'protocol', message: 'the server of the kubeconfig is not a URL' });
  if (url.protocol === 'http:')
    return { type: 'ok', link: openH1Link({ origin: url, tls: {}, clock, tuning, pace, events }) };
  const options = tlsOptions(url, material.tls);
  const opened = await openSocket(url, options, clock, tuning.connectTimeout);
  if (opened.type === 'fault') return opened;
  if (opened.socket.alpnProtocol === 'h2')
    return { type: 'ok', link: openH2Link({ socket: opened.socket, origin: url.origin, clock, tuning, pace, events }) };
  opened.socket.destroy();
  return { type: 'ok', link: openH1Link({ origin: url, tls: options, clock, tuning, pace, events }) };
}

function tlsOptions(url: URL, material: TlsMaterial): tls.ConnectionOptions {
  const host = bareHost(url.hostname);
  const name = material.serverName ?? (net.isIP(host) === 0 ? host : null);
  return {
    ...(name === null ? {} : { servername: name }),
    ...(material.ca === null ? {} : { ca: material.ca }),
    ...(material.cert === null ? {} : { cert: material.cert }),
    ...(material.key === null ? {} : { key: material.key }),
    rejectUnauthorized: !material.insecure,
  };
}

function openSocket(
  url: URL,
  options: tls.ConnectionOptions,
  clock: Clock,
  timeout: number,
): Promise<{ type: 'ok'; socket: tls.TLSSocket } | Failure> {
  return new Promise((resolve) => {
    let socket: tls.TLSSocket;
    try {
      socket = tls.connect({
        ...options,
        host: bareHost(url.hostname),
        port: Number(url.port || 443),
        ALPNProtocols: ['h2', 'http/1.1'],
      });
    } catch (error) {
      // Thrown for a certificate or key that is none.
      resolve(failure({ type: 'credentials', message: saying(error) }));
      return;
    }
    const fail = (message: string, type: 'protocol' | 'unreachable' = 'unreachable'): void => {
      timer.cancel();
      socket.destroy();
      resolve(failure({ type, message }));
    };
    const onError = (error: Error): void => {
      const said = saidOfDial(error, url);
      fail(said.message, said.type);
    };
    const onClose = (): void => fail('the connection was closed while it was opened');
    const timer = clock.after(timeout, () => fail(`no connection within ${timeout / 1_000} s`));
    socket.once('error', onError);
    socket.once('close', onClose);
    socket.once('secureConnect', () => {
      timer.cancel();
      socket.off('error', onError);
      socket.off('close', onClose);
      // Nobody listens for a moment; a close follows an error then.
      socket.on('error', () => undefined);
      socket.setNoDelay(true);
      resolve({ type: 'ok', socket });
    });
  });
}
