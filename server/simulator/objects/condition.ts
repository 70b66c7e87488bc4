import { kubeTime } from '../api/kube-object.ts';

/** metav1.Condition as Flux and Crossplane write it. */
export interface StatusCondition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason: string;
  message?: string;
  lastTransitionTime: string;
  observedGeneration?: number;
}

/** Content of one condition by a controller. */
export interface Said {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message?: string;
}

/**
 * Sets one condition as fluxcd/pkg/runtime conditions.Set and crossplane-runtime SetConditions do:
 * lastTransitionTime moves when status, reason or message change, not only when status does.
 */
export function setCondition(conditions: StatusCondition[], said: Said, generation: number, at: number): void {
  const known = conditions.find((condition) => condition.type === said.type);
  const next: StatusCondition = { ...said, lastTransitionTime: kubeTime(at), observedGeneration: generation };
  if (!known) {
    conditions.push(next);
    return;
  }
  const same = known.status === said.status && known.reason === said.reason && known.message === said.message;
  if (same && known.observedGeneration === generation) return;
  if (same) next.lastTransitionTime = known.lastTransitionTime;
  conditions[conditions.indexOf(known)] = next;
}

/** Takes a condition away. */
export function dropCondition(conditions: StatusCondition[], type: string): void {
  const index = conditions.findIndex((condition) => condition.type === type);
  if (index >= 0) conditions.splice(index, 1);
}

/** The status of a condition, null where it is absent. */
export function conditionStatus(
  conditions: readonly StatusCondition[],
  type: string,
): StatusCondition['status'] | null {
  return conditions.find((condition) => condition.type === type)?.status ?? null;
}
