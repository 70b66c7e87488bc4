import type { Wanted } from '#lib/domain/pager/given.ts';
import { foreignName } from '#lib/foreign-words.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { countOf } from '#lib/format/number.ts';
import type { Found } from './found.ts';

/** The result of looking for an object, in words. */
export function sentenceOf(found: Found): string {
  const { read, wanted, match, past } = found;
  switch (match.type) {
    case 'exact':
      return `The labels name ${nameOf(match.object.ref)}.`;
    case 'inferred':
      return `The labels may mean ${nameOf(match.object.ref)}.`;
    case 'several': {
      const clusters = new Set(match.objects.map(({ ref }) => ref.cluster)).size;
      const where = clusters === 1 ? `on ${match.objects[0]?.ref.cluster}` : `on ${countOf(clusters, 'cluster')}`;
      return `The labels fit ${countOf(match.objects.length, 'object')} ${where}.`;
    }
    case 'none':
      return noneSentence(read.labels.length, found.isMissing, wanted, past);
  }
}

function noneSentence(labels: number, isMissing: boolean, wanted: Wanted, past: boolean): string {
  if (labels === 0) return 'No labels were given.';
  const { cluster, kind, namespace, name } = wanted;
  if (kind === null && name === null)
    return isMissing ? 'No alert with this fingerprint is known.' : 'The labels name no object.';
  const inNamespace = namespace === null ? '' : `${foreignName(namespace.value)}/`;
  const what =
    name === null
      ? foreignName(kind?.value ?? '')
      : `${kind === null ? 'object' : foreignName(kind.value)} ${inNamespace}${foreignName(name.value)}`;
  const where = cluster === null ? '' : ` on ${foreignName(cluster.value)}`;
  return past ? `No ${what} was known then${where}.` : `No ${what} is known${where}.`;
}

function nameOf({ cluster, kind, namespace, name }: ObjectRef): string {
  return `${kind} ${namespace === '' ? '' : `${namespace}/`}${name} on ${cluster}`;
}
