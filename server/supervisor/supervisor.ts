import type { Clock } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import type { ChildNews, ChildSpec } from './child-spec.ts';
import { keepRunning, type KeptChild } from './keep-running.ts';

export interface SupervisorDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Called for everything that happens to a child. */
  onNews(news: ChildNews): void;
}

/** Keeps processes running. A child that refuses to run is reported, not started again. */
export function startSupervisor({ clock, log, onNews }: SupervisorDeps) {
  const children: KeptChild[] = [];
  let stopped: Promise<unknown> | null = null;

  function receive(news: ChildNews): void {
    switch (news.type) {
      case 'started':
        log.debug({ child: news.name, pid: news.pid }, 'child started');
        break;
      case 'ready':
        log.debug({ child: news.name }, 'child ready');
        break;
      case 'crashed':
        log.error(
          { child: news.name, code: news.code, signal: news.signal, restartInMs: news.restartIn },
          'child ended by itself and is started again',
        );
        break;
      case 'refused':
        log.warn({ child: news.name, code: news.code }, 'child cannot run');
        break;
    }
    onNews(news);
  }

  return {
    /** Starts one more child beside those that run. */
    add(spec: ChildSpec): void {
      if (stopped === null) children.push(keepRunning(spec, clock, receive));
    },
    /** Ends all children at the same time, within about 4 s. */
    async stop(): Promise<void> {
      stopped ??= Promise.all(children.map((child) => child.stop()));
      await stopped;
    },
  };
}
