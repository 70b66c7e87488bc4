import type { PastObject } from './inventory.ts';

/** Message of an object that is well. */
export function goodSummary({ ref, role }: PastObject): { readonly reason: string; readonly message: string } {
  if (ref.kind === 'Kustomization') return { reason: 'ReconciliationSucceeded', message: '' };
  if (ref.kind === 'HelmRelease') return { reason: 'UpgradeSucceeded', message: '' };
  if (ref.kind === 'HelmChart') return { reason: 'ChartPullSucceeded', message: '' };
  return { reason: role === 'source' ? 'Succeeded' : 'Available', message: '' };
}
