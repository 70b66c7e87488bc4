import type { ObjectRef } from '../../observation/ref.ts';
import type { Cause } from '../../verdict/judgement.ts';

/** The object that a root cause is, and that an alert may name; a controller is a Deployment. null of a cluster and of a feed. */
export function causeObject(cause: Cause): ObjectRef | null {
  switch (cause.type) {
    case 'object':
      return cause.ref;
    case 'controller': {
      const { cluster, namespace, name } = cause;
      return { cluster, group: 'apps', kind: 'Deployment', namespace, name };
    }
    case 'shared-error':
      return cause.providerConfig;
    case 'cluster':
    case 'feed':
    case 'outside':
      return null;
  }
}
