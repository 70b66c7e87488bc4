import type { CurrentObject } from '#lib/domain/record/current.ts';

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

/**
 * Commands to copy that only read. The kubeconfig context is called as the cluster is here, which is so where the cluster
 * was configured by its context's name.
 */
export function readOnlyCommands(object: CurrentObject): readonly string[] {
  const { ref } = object;
  if (object.role === 'declared') return [];
  const name = quote(ref.name);
  const where = `${ref.namespace === '' ? '' : ` -n ${quote(ref.namespace)}`} --context ${quote(ref.cluster)}`;
  const resource = quote(ref.group === '' ? ref.kind.toLowerCase() : `${ref.kind.toLowerCase()}.${ref.group}`);
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

/** As one word of a POSIX shell, whatever a foreign cluster calls its objects. */
function quote(text: string): string {
  return /^[A-Za-z0-9][A-Za-z0-9._:@/-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
