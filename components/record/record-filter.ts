/** The parts of a filter of the record that stand in the URL, '' for any; "-" for the core group and for no namespace. */
export const recordNames = ['cluster', 'group', 'kind', 'namespace', 'name'] as const;
export type RecordFilter = Readonly<Record<(typeof recordNames)[number], string>>;

type Params = Readonly<Record<string, string | string[] | undefined>>;

/** The text of a parameter; '' where it is not there, or there twice. */
export function textOf(params: Params, name: string): string {
  const value = params[name];
  return typeof value === 'string' ? value : '';
}

/** The filter in an address. */
export function recordFilterFrom(params: Params): RecordFilter {
  const one = (name: keyof RecordFilter): string => textOf(params, name);
  return {
    cluster: one('cluster'),
    group: one('group'),
    kind: one('kind'),
    namespace: one('namespace'),
    name: one('name'),
  };
}

/** Names of a filter in words: "Kustomization flux-system/checkout on eu-west-3", "everything on every cluster". */
export function recordText({ cluster, kind, namespace, name }: RecordFilter): string {
  const what = kind === '' ? (name === '' ? 'everything' : '') : kind;
  const full = namespace === '' || namespace === '-' || name === '' ? name : `${namespace}/${name}`;
  const inside = name === '' && namespace !== '' ? (namespace === '-' ? 'cluster-scoped' : `in ${namespace}`) : '';
  const where = cluster === '' ? 'every cluster' : cluster.split(',').join(' and ');
  return `${[what, full, inside].filter((part) => part !== '').join(' ')} on ${where}`;
}
