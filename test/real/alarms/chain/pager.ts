import { once } from 'node:events';
import { createServer } from 'node:http';
import { listAt, parseForeign, textAt } from '#lib/foreign.ts';

/** Whoever is called: a receiver of webhooks on loopback that keeps what it was told. */
export interface Pager {
  /** Where an Alertmanager calls it; `line` tells one caller from another. */
  url(line: string): string;
  /** Alerts that a line was called for, in their order: "FluxReconciliationFailure Kustomization apps/checkout". */
  calls(line: string): readonly string[];
  /** Forgets what a line was called for. */
  forget(line: string): void;
  stop(): Promise<void>;
}

/** Starts one. */
export async function startPager(): Promise<Pager> {
  const calls = new Map<string, readonly string[]>();
  const server = createServer((request, response) => {
    const line = (request.url ?? '/').slice(1);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const alerts = listAt(parseForeign(Buffer.concat(chunks).toString()), 'alerts').filter(isFiring);
      calls.set(line, [...(calls.get(line) ?? []), ...alerts.map(told)]);
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return {
    url: (line) => `http://127.0.0.1:${port}/${line}`,
    calls: (line) => calls.get(line) ?? [],
    forget: (line) => void calls.delete(line),
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function isFiring(alert: unknown): boolean {
  return textAt(alert, 'status') === 'firing';
}

function told(alert: unknown): string {
  const label = (name: string): string => textAt(alert, 'labels', name) ?? '';
  const object = `${label('customresource_kind')} ${label('exported_namespace')}/${label('name')}`;
  return `${label('alertname')} ${object}`;
}
