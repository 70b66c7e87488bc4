import { foreignMessage, namesAt, reasonAt } from '#lib/foreign-words.ts';
import { at, firstAt } from '#lib/foreign.ts';

/** `data` of an answer of Prometheus; undefined where it says that it could not answer. */
export function successData(body: unknown): unknown {
  return reasonAt(body, 'status') === 'success' ? at(body, 'data') : undefined;
}

/** The sentence on an answer that is known not to be whole (Thanos and Mimir answer without the stores that they cannot reach); none where it is. */
export function partialText(body: unknown): readonly string[] {
  const [warning] = namesAt({ warnings: firstAt(1, body, 'warnings') }, 'warnings');
  return warning === undefined ? [] : [`It answers with a warning: ${foreignMessage(warning)}`];
}
