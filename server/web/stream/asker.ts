import type { IncomingMessage } from 'node:http';
import type { Viewer } from '#lib/domain/access/viewer.ts';
import { listenerOf } from './listener.ts';

const known = new WeakMap<IncomingMessage, string>();

/** Notes whose request it is, once that is known. */
export function noteAsker(request: IncomingMessage, { by, subject }: Pick<Viewer, 'by' | 'subject'>): void {
  if (subject !== '') known.set(request, `${by}\n${subject}`);
}

/**
 * Who asks, for sharing room among readers: whom `noteAsker` noted, wherever they ask from; else the address (`listenerOf`), to which no subject is equal,
 * as no header has a line break.
 */
export function askerOf(request: IncomingMessage): string {
  return known.get(request) ?? listenerOf(request);
}
