import { once } from 'node:events';
import { createServer } from 'node:http';

/** A server of fixed answers on loopback: a chart repository and an OCI registry that is only pulled from. */
export interface ArtifactServer {
  /** 127.0.0.1:PORT */
  readonly host: string;
  /** Answers GET and HEAD of a path from now on. */
  put(path: string, answer: Artifact): void;
  /** Answers 404 there again. */
  remove(path: string): void;
  stop(): Promise<void>;
}

/** One fixed answer. */
export interface Artifact {
  readonly type: string;
  readonly body: Buffer;
  /** Of the body, for a registry's manifests: sha256:HEX */
  readonly digest?: string;
}

/** Starts it with nothing in it but a registry's greeting. */
export async function startArtifactServer(): Promise<ArtifactServer> {
  const artifacts = new Map<string, Artifact>([['/v2/', { type: 'application/json', body: Buffer.from('{}') }]]);
  const server = createServer((request, response) => {
    const found = artifacts.get(new URL(request.url ?? '/', 'http://127.0.0.1').pathname);
    if (found === undefined) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"errors":[{"code":"NAME_UNKNOWN"}]}');
      return;
    }
    response.writeHead(200, {
      'content-type': found.type,
      'content-length': found.body.byteLength,
      ...(found.digest === undefined ? {} : { 'docker-content-digest': found.digest }),
    });
    response.end(request.method === 'HEAD' ? undefined : found.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return {
    host: `127.0.0.1:${port}`,
    put: (path, answer) => void artifacts.set(path, answer),
    remove: (path) => void artifacts.delete(path),
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
