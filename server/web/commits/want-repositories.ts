import { minute } from '#lib/domain/time/length.ts';
import type { GitReader } from '#server/git/port/git-reader.ts';
import type { Clock, Timer } from '#server/runtime/clock.ts';
import type { KnownFleet } from '../cache/known-fleet.ts';
import { repositoriesOf } from './fleet-repositories.ts';

const mostWanted = 200;
const mostBranches = 20;
const first = 2_000;

/** Tells the git process, every minute, which repositories and branches the objects of the fleet are built from. */
export function startWanting({
  git,
  fleet,
  clock,
}: {
  readonly git: GitReader;
  readonly fleet: KnownFleet;
  readonly clock: Clock;
}) {
  let timer: Timer;
  let isStopped = false;

  function tell(): void {
    const wanted = repositoriesOf(fleet.all(clock.now())).slice(0, mostWanted);
    const told = wanted.map(({ url, branches }) => ({ url, branches: [...branches].slice(0, mostBranches) }));
    void git.want(told).then(() => {
      if (!isStopped) timer = clock.after(minute, tell);
    });
  }

  timer = clock.after(first, tell);
  return {
    stop(): void {
      isStopped = true;
      timer.cancel();
    },
  };
}
