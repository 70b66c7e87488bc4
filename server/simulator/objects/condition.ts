import { kubeTime } from '../api/kube-object.ts';
import type { KubeObject } from '../api/kube-object.ts';

/** metav1.Condition as Flux and Crossplane write it. */
export interface StatusCondition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason: string;
  message?: string | undefined;
  lastTransitionTime: string;
  observedGeneration?: number;
}

/** An object whose status has conditions. */
export interface Conditioned extends KubeObject {
  readonly status: { readonly conditions: StatusCondition[] };
}

/** Content of one condition by a controller. */
export type Said = readonly [type: string, status: StatusCondition['status'], reason: string, message?: string];

/** A pass is under way. `ready`: what Ready says of it, where that is something else. */
export function progressing(message: string, ready = message): [Said, Said] {
  return [
    ['Reconciling', 'True', 'Progressing', message],
    ['Ready', 'Unknown', 'Progressing', ready],
  ];
}

/**
 * Sets conditions at `at` (ms) as fluxcd/pkg/runtime conditions.Set and crossplane-runtime SetConditions do:
 * lastTransitionTime moves when status, reason or message change, not only when status does.
 */
export function say({ metadata, status: { conditions } }: Conditioned, at: number, ...all: readonly Said[]): void {
  const observedGeneration = metadata.generation ?? 1;
  for (const [type, status, reason, message] of all) {
    const index = conditions.findIndex((condition) => condition.type === type);
    const known = conditions[index];
    const same = known?.status === status && known.reason === reason && known.message === message;
    if (same && known.observedGeneration === observedGeneration) continue;
    const lastTransitionTime = same ? known.lastTransitionTime : kubeTime(at);
    const next = { type, status, reason, message, lastTransitionTime, observedGeneration };
    if (known) conditions[index] = next;
    else conditions.push(next);
  }
}

/** Takes conditions away. */
export function dropConditions({ status: { conditions } }: Conditioned, ...types: readonly string[]): void {
  for (const type of types) {
    const index = conditions.findIndex((condition) => condition.type === type);
    if (index >= 0) conditions.splice(index, 1);
  }
}

/** The status of a condition, null where it is absent. */
export function conditionStatus({ status }: Conditioned, type: string): StatusCondition['status'] | null {
  return status.conditions.find((condition) => condition.type === type)?.status ?? null;
}
