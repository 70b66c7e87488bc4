import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import type { AlarmEntry } from '#server/config/alarms-schema.ts';

/** A server on loopback until the test has finished; gives its address. */
export async function programServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const bound = server.address();
  return `http://127.0.0.1:${bound !== null && typeof bound === 'object' ? bound.port : 0}`;
}

/** A source as it is configured, of nothing but what is given. */
export function alarmEntry(given: Partial<AlarmEntry> = {}): AlarmEntry {
  return {
    name: 'main',
    prometheus: null,
    alertmanagers: [],
    attribution: { label: 'cluster', aliases: {}, clusters: [] },
    tokenFile: null,
    ca: null,
    tenant: null,
    metrics: ['gotk_', 'flux_', 'crossplane_', 'upjet_', 'kube_customresource_', 'argocd_'],
    ...given,
  };
}
