import { once } from 'node:events';
import { type Server, createServer } from 'node:net';

/** That many ports of loopback that were free just now, all different. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers: Server[] = [];
  const ports: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address !== null && typeof address === 'object') ports.push(address.port);
    servers.push(server);
  }
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return ports;
}

/** The port at an index of `freePorts`. */
export function portAt(ports: readonly number[], index: number): number {
  const port = ports[index];
  if (port === undefined) throw new Error(`no port ${index} was taken`);
  return port;
}
