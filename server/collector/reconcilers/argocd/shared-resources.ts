import type { Rival } from '#lib/domain/observation/conflict.ts';
import { listAt, textAt } from '#lib/foreign.ts';

const shared = /^([^/\s]+)\/(\S+) is part of applications (\S+) and (\S+)$/;

/**
 * Resources that Argo CD found to be another Application's as well: condition SharedResourceWarning, "Deployment/web is part of
 * applications argocd/a and b". Source: argo-cd controller/state.go CompareAppState.
 */
export function sharedResources(object: unknown): readonly Rival[] {
  const found: Rival[] = [];
  for (const condition of listAt(object, 'status', 'conditions')) {
    if (textAt(condition, 'type') !== 'SharedResourceWarning') continue;
    const [, kind, name, , other] = shared.exec(textAt(condition, 'message') ?? '') ?? [];
    if (kind !== undefined && name !== undefined && other !== undefined)
      found.push({ type: 'shared', kind, name, others: [other] });
  }
  return found;
}
