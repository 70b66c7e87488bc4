import { gatherLabels, longestGiven, type Label, type ReadLabels } from './label.ts';
import { readLabelText } from './label-text.ts';

/** Parameters of a pager's link that are no labels: when, all labels in one text, and how the page looks. */
const noLabels: ReadonlySet<string> = new Set(['at', 'startsAt', 'labels', 'theme']);

/** Labels in the parameters of a pager's link: those that stand there one by one, then those in the text `labels`. */
export function givenLabels(params: Readonly<Record<string, string>>): ReadLabels {
  const gathered = gatherLabels();
  const length = Object.entries(params).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (length > longestGiven) gathered.skip({ type: 'too-large', length });
  else {
    for (const [name, value] of Object.entries(params)) if (!noLabels.has(name)) gathered.add(name, value);
    const { labels, unread } = readLabelText(params['labels'] ?? '');
    for (const { name, value } of labels) gathered.add(name, value);
    for (const one of unread) gathered.skip(one);
  }
  return gathered.read();
}

/** Value of a label, with the label that it was read from. */
export interface Named {
  readonly value: string;
  readonly label: string;
}

/** Object that labels name, part by part; null where a part is not named. */
export interface Wanted {
  readonly cluster: Named | null;
  readonly group: Named | null;
  readonly kind: Named | null;
  readonly namespace: Named | null;
  readonly name: Named | null;
}

/**
 * Labels that name each part, the first that is there counts. kube-state-metrics names the object by `exported_namespace` and
 * `customresource_kind`, and itself by `namespace`; the notification-controller of Flux names the object by `kind`, `namespace`, `name`.
 */
const candidates = {
  cluster: ['cluster'],
  group: ['customresource_group', 'group'],
  kind: ['customresource_kind', 'kind', 'exported_kind'],
  namespace: ['exported_namespace', 'namespace'],
  name: ['exported_name', 'name', 'resource'],
} as const;

/** The object that labels name. */
export function wantedOf(labels: readonly Label[]): Wanted {
  const values = new Map(labels.map(({ name, value }) => [name, value]));
  const named = (names: readonly string[]): Named | null => {
    for (const label of names) {
      const value = values.get(label);
      if (value !== undefined) return { value: value.trim(), label };
    }
    return null;
  };
  return {
    cluster: named(candidates.cluster),
    group: named(candidates.group),
    kind: named(candidates.kind),
    namespace: named(candidates.namespace),
    name: named(candidates.name),
  };
}

/** True if a label may name a part of the object: such a one is no guess at a cluster. */
function namesAPart(label: string): boolean {
  return Object.values(candidates).some((names) => names.some((name) => name === label));
}

/** The wanted object with a cluster that another label names by its exact name; as it is where none does, or several differ. */
export function withGuessedCluster(
  wanted: Wanted,
  labels: readonly Label[],
  isCluster: (name: string) => boolean,
): Wanted {
  if (wanted.cluster !== null) return wanted;
  const found = labels.filter(({ name, value }) => !namesAPart(name) && isCluster(value));
  const [first] = found;
  if (first === undefined || found.some(({ value }) => value !== first.value)) return wanted;
  return { ...wanted, cluster: { value: first.value, label: first.name } };
}
