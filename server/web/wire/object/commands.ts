import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { shellWord } from '#lib/format/shell-word.ts';

/** Names of kinds in `flux get` (cmd/flux of flux2); kinds that it does not know are left to kubectl. */
const fluxGet: ReadonlyMap<string, string> = new Map([
  ['Kustomization', 'kustomizations'],
  ['HelmRelease', 'helmreleases'],
  ['GitRepository', 'sources git'],
  ['OCIRepository', 'sources oci'],
  ['Bucket', 'sources bucket'],
  ['HelmRepository', 'sources helm'],
  ['HelmChart', 'sources chart'],
]);

/** Names as Kubernetes takes them: of most kinds, and those of roles, which hold colons. None begins an option or holds what ends a line. */
const named = {
  group: /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?)?$/,
  kind: /^[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/,
  namespace: /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)?$/,
  name: /^[A-Za-z0-9][A-Za-z0-9.:@_-]{0,252}$/,
} as const;

/** True where a command can name it, and means it: an API server that is not honest may give anything for a name. */
function isCommandable({ cluster, group, kind, namespace, name }: ObjectRef): boolean {
  const isLine = cluster !== '' && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(cluster);
  const isNamed = named.group.test(group) && named.kind.test(kind) && named.namespace.test(namespace);
  return isLine && isNamed && named.name.test(name);
}

/**
 * Commands to copy that only read; none for an object that no command can name. The kubeconfig context is called as the cluster is here, which is so where the cluster
 * was configured by its context's name.
 */
export function readOnlyCommands(object: CurrentObject): readonly string[] {
  const { ref } = object;
  if (object.role === 'declared' || !isCommandable(ref)) return [];
  const name = shellWord(ref.name);
  const where = `${ref.namespace === '' ? '' : ` -n ${shellWord(ref.namespace)}`} --context ${shellWord(ref.cluster)}`;
  const resource = shellWord(ref.group === '' ? ref.kind.toLowerCase() : `${ref.kind.toLowerCase()}.${ref.group}`);
  const get = ref.group.endsWith('.fluxcd.io') ? fluxGet.get(ref.kind) : undefined;
  const flux =
    get === undefined ? [] : [`flux get ${get} ${name}${where}`, `flux events --for ${ref.kind}/${name}${where}`];
  const tree = ref.kind === 'Kustomization' && get !== undefined ? [`flux tree kustomization ${name}${where}`] : [];
  const trace =
    object.role === 'composite' || object.role === 'claim' ? [`crossplane beta trace ${resource} ${name}${where}`] : [];
  return [
    ...flux,
    ...tree,
    ...trace,
    `kubectl get ${resource} ${name}${where} -o yaml`,
    `kubectl describe ${resource} ${name}${where}`,
  ];
}
