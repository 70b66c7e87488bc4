import type { Adapter } from '../adapter.ts';
import { observeApplication } from './application.ts';

/** Argo CD. It is found by discovery; no cluster is expected to have it. */
export const argocd: Adapter = {
  reconciler: 'argocd',
  handles: (kind) => kind.group === 'argoproj.io' && kind.kind === 'Application',
  observe: observeApplication,
};
