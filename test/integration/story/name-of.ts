import type { ObjectRef } from '#lib/domain/observation/ref.ts';

/** An object as a judge names it. */
export function nameOf({ cluster, group, kind, namespace, name }: ObjectRef): string {
  return [cluster, group, kind, namespace, name].join('/');
}
