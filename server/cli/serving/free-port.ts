import { createServer } from 'node:net';

/** Why nothing can be bound to the address (an errno code such as EADDRINUSE), or null where it is free. */
export function whyTaken(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen({ host, port }, () => probe.close(() => resolve(null)));
  });
}
