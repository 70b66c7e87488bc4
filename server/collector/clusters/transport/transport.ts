import type { ForeignObject } from '#lib/foreign.ts';
import type { Answer, WatchEnd } from '../answer.ts';
import { type ConnectionDeps, startConnection } from './connection.ts';
import { ask, type GetOptions } from './request.ts';
import { createPace } from './pace/pace.ts';
import { createSender } from './sender.ts';
import { watch, type WatchOptions } from './watch.ts';

/** spec.resourceAttributes of a SelfSubjectAccessReview. */
export interface AccessQuestion {
  readonly group: string;
  readonly resource: string;
  readonly verb: string;
  readonly namespace?: string;
}

/** Everything that can be asked of a cluster. Nothing that changes it can be expressed. */
export interface Transport {
  /** One GET of a path (query included) below the server's URL; the answer must be a JSON object. */
  get(path: string, options: GetOptions): Promise<Answer>;
  /** One watch, until it ends, breaks or is aborted. Waits for a connection as long as it takes. */
  watch(path: string, options: WatchOptions): Promise<WatchEnd>;
  selfSubjectAccessReview(question: AccessQuestion, signal: AbortSignal): Promise<Answer>;
  selfSubjectRulesReview(namespace: string, signal: AbortSignal): Promise<Answer>;
}

/** A way to a cluster that is open. */
export interface RunningTransport extends Transport {
  /** Work was done on what came, of so many ms: its streams rest as long. */
  charge(ms: number): void;
  stop(): void;
}

/** Starts the one way to a cluster: connects at once, keeps connected, re-reads credentials once after a 401. */
export function startTransport(deps: Omit<ConnectionDeps, 'pace'>): RunningTransport {
  const { clock, tuning } = deps;
  const pace = createPace(clock);
  const connection = startConnection({ ...deps, pace });
  const sender = createSender(deps, connection);

  function review(kind: string, spec: ForeignObject, signal: AbortSignal): Promise<Answer> {
    const body = JSON.stringify({ apiVersion: 'authorization.k8s.io/v1', kind, spec });
    return ask(sender, `/apis/authorization.k8s.io/v1/${kind.toLowerCase()}s`, body, {
      timeout: tuning.getTimeout,
      most: tuning.answerBytes,
      signal,
    });
  }

  return {
    get: (path, options) => ask(sender, path, null, options),
    watch: (path, options) => watch(sender, path, options, tuning.answerBytes),
    selfSubjectAccessReview: (question, signal) =>
      review('SelfSubjectAccessReview', { resourceAttributes: question }, signal),
    selfSubjectRulesReview: (namespace, signal) => review('SelfSubjectRulesReview', { namespace }, signal),
    charge: pace.charge,
    stop: connection.stop,
  };
}
