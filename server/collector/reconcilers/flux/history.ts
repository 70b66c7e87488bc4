import type { HistoryEntry } from '#lib/domain/observation/observation.ts';
import { listAt, numberAt, textAt, timeAt } from '#lib/foreign.ts';

/** status.history of a Kustomization (Flux 2.7 or newer), newest first, as the API orders it. */
export function kustomizationHistory(object: unknown): HistoryEntry[] {
  return listAt(object, 'status', 'history').map((entry) => ({
    status: textAt(entry, 'lastReconciledStatus') ?? '',
    revision: textAt(entry, 'metadata', 'revision'),
    digest: textAt(entry, 'digest'),
    first: timeAt(entry, 'firstReconciled'),
    last: timeAt(entry, 'lastReconciled'),
    total: numberAt(entry, 'totalReconciliations'),
  }));
}
