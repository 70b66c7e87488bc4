import { listAt } from '#lib/foreign.ts';
import { namesAt } from '#lib/foreign-words.ts';
import type { ForeignObject } from '#lib/foreign.ts';
import type { Log } from '#server/runtime/log.ts';
import type { Transport } from './transport/transport.ts';

const harmless = new Set(['get', 'list', 'watch']);

/**
 * Warns once when the credentials could change the cluster: an observatory needs none that can.
 * A refused or incomplete review says nothing and is left alone.
 */
export async function warnIfWritable(
  transport: Transport,
  namespace: string,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const answer = await transport.selfSubjectRulesReview(namespace, signal);
  if (answer.type !== 'ok') return;
  const verbs = writingVerbs(answer.body);
  if (verbs.length > 0)
    log.warn(
      { namespace, verbs },
      'the credentials of this cluster can write; Plumbline needs get, list and watch only',
    );
}

/** The verbs of a SelfSubjectRulesReview that change something, without those that every user has. */
export function writingVerbs(review: ForeignObject): string[] {
  const verbs = new Set<string>();
  for (const rule of listAt(review, 'status', 'resourceRules')) {
    const groups = namesAt(rule, 'apiGroups');
    // Everyone may review their own access: system:basic-user.
    if (
      groups.length > 0 &&
      groups.every((group) => group === 'authorization.k8s.io' || group === 'authentication.k8s.io')
    )
      continue;
    for (const verb of namesAt(rule, 'verbs')) if (!harmless.has(verb)) verbs.add(verb);
  }
  return [...verbs].toSorted();
}
