import { type EmbedScope, parseScope } from '#lib/domain/matrix/embed-scope.ts';
import type { Topic } from './live.tsx';

/** Scope of an embed of the page that follows this topic; null where it has nothing of its own to show. */
export function topicScope(topic: Topic): EmbedScope | null {
  const { cluster = '', group = '', kind = '', namespace = '', name = '', label = '' } = topic ?? {};
  switch (topic?.['topic']) {
    case 'fleet':
      // A filter of one label is a scope, of several none.
      return label === '' || label.includes(',') ? { type: 'fleet' } : parseScope(`label:${label}`);
    case 'cluster':
      return parseScope(`cluster:${cluster}`);
    case 'object':
      return parseScope(`object:${[cluster, group, kind, namespace, name].join('/')}`);
    default:
      return null;
  }
}
