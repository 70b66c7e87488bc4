import type { Scope } from '#lib/api/scope.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { gatheredTitle } from '#lib/domain/matrix/column-of.ts';
import { folderOf } from '#lib/domain/matrix/column-seeds.ts';

/** True if an object passes everything in a scope but its clusters. */
export type ObjectMatcher = (object: CurrentObject) => boolean;

/** The matcher of a scope; null where every object passes. */
export function objectMatcher(filter: Omit<Scope, 'cluster' | 'label'>): ObjectMatcher | null {
  const tests: ObjectMatcher[] = [];
  const { reconciler, kind, name } = filter;
  const group = filter.group === '-' ? '' : filter.group;
  const namespace = filter.namespace === '-' ? '' : filter.namespace;
  if (reconciler !== '') tests.push((object) => object.reconciler === reconciler);
  if (filter.group !== '') tests.push(({ ref }) => ref.group === group);
  if (kind !== '') tests.push(({ ref }) => ref.kind === kind);
  if (filter.namespace !== '') tests.push(({ ref }) => ref.namespace === namespace);
  if (name !== '') tests.push(({ ref }) => ref.name === name);
  const text = filter.q.trim().toLowerCase();
  if (text !== '') tests.push(textMatcher(text));
  const [only] = tests;
  if (only === undefined) return null;
  return tests.length === 1 ? only : (object) => tests.every((test) => test(object));
}

/** Finds also what stands in a column whose title has the text. Names of Kubernetes are lower case by rule. */
function textMatcher(text: string): ObjectMatcher {
  const has = wordTest(text);
  const inFolder = folderTest(text);
  const isPath = text.includes('/');
  const isCommit = /^[0-9a-f]{4,64}$/.test(text);
  return (object) => matches(object) || has(gatheredTitle(object) ?? '') || deliveredAs(object, text);

  function matches({ ref, reason, commit, path }: CurrentObject): boolean {
    return (
      ref.name.includes(text) ||
      ref.namespace.includes(text) ||
      has(ref.cluster) ||
      has(ref.kind) ||
      has(ref.group) ||
      has(reason) ||
      (path !== null && inFolder(path)) ||
      (isPath && `${ref.cluster}/${ref.kind.toLowerCase()}/${ref.namespace}/${ref.name}`.includes(text)) ||
      (isCommit && commit !== null && commit.startsWith(text))
    );
  }
}

/** A release stands in the column of the Kustomization that delivers it. */
function deliveredAs({ ref, deliveredBy }: CurrentObject, text: string): boolean {
  return ref.kind === 'HelmRelease' && deliveredBy?.kind === 'Kustomization' && deliveredBy.name.includes(text);
}

/**
 * Tests if a word holds a text (in lower case), whatever its own case. Of kinds, reasons and managers there are few and of
 * objects many: each word is folded once.
 */
export function wordTest(text: string): (word: string) => boolean {
  return remembered((word) => word.toLowerCase().includes(text));
}

/** Tests if a path lies under the group of columns that a text names ("apps"); each path is taken apart once. */
function folderTest(text: string): (path: string) => boolean {
  return remembered((path) => folderOf(path)?.toLowerCase() === text);
}

function remembered(test: (text: string) => boolean): (text: string) => boolean {
  const answers = new Map<string, boolean>();
  return (text) => {
    const found = answers.get(text);
    if (found !== undefined) return found;
    if (answers.size > 10_000) answers.clear();
    const answer = test(text);
    answers.set(text, answer);
    return answer;
  };
}
