import type { Cause } from '../verdict/judgement.ts';
import { refKey } from '../observation/ref.ts';

/** A cause as one string, the same for all objects beneath it. */
export function causeKey(cause: Cause): string {
  switch (cause.type) {
    case 'object':
      return `object:${refKey(cause.ref)}`;
    case 'controller':
      return `controller:${cause.cluster}/${cause.namespace}/${cause.name}`;
    case 'cluster':
      return `cluster:${cause.cluster}`;
    case 'feed':
      return `feed:${cause.cluster}/${cause.group}/${cause.kind}`;
    case 'shared-error':
      return `shared-error:${refKey(cause.providerConfig)}`;
    case 'outside':
      return `outside:${cause.id}`;
  }
}

/** A cause in words, without a verb: "kustomize-controller on stg-edge". */
export function causeTitle(cause: Cause): string {
  switch (cause.type) {
    case 'object':
      return `${cause.ref.name} on ${cause.ref.cluster}`;
    case 'controller':
      return `${cause.name} on ${cause.cluster}`;
    case 'cluster':
      return cause.cluster;
    case 'feed':
      return `${cause.kind} on ${cause.cluster}`;
    case 'shared-error':
      return `${cause.providerConfig.kind} ${cause.providerConfig.name} on ${cause.cluster}`;
    case 'outside':
      return 'a cause outside your view';
  }
}
