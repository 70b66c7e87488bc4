import { unknownAlarms, type KnownObject } from '#lib/domain/alarm/known-object.ts';
import type { z } from 'zod';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { noGit, type GitReader } from '#server/git/port/git-reader.ts';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import { buildKnown, type KnownCluster } from '../cache/known-cluster.ts';
import type { FleetCache } from '../cache/fleet-cache.ts';
import { knownFleet } from '../cache/known-fleet.ts';
import type { Asked } from '../asked.ts';
import { knownMoment, type KnownMoment } from '../fleet/known-moment.ts';
import { isRefused, type Refused } from '../http/problem.ts';
import type { Present } from '../present.ts';
import { sampleCluster, sampleNow } from './sample.ts';
import { toldAlarms } from './told-alarms.ts';

/** Moment as a cache knows it at the time of the samples, with no store beside it, and where `git` is not given no repository. */
export function sampleMoment(
  fleetCache: FleetCache,
  policy = defaultPolicy,
  git: GitReader = noGit('No repository is mirrored here.'),
  alarms = unknownAlarms('none'),
): KnownMoment {
  const nothingElse = { links: () => null, simulated: false, git, reader: () => null, trouble: () => null };
  const fleet = knownFleet(fleetCache, policy, alarms);
  return knownMoment({ fleetCache, fleet, alarms, clock: fakeClock(sampleNow), policy, ...nothingElse });
}

/** The same as the present, with what else a test asks of it. */
export function samplePresent(known: KnownMoment, rest: Partial<Present> = {}): Present {
  const none = () => Promise.reject(new Error('This test has none.'));
  const reports = { prepare: none, report: none, spans: none, arrivals: none };
  const commits = { page: none };
  return {
    ...known,
    commits,
    pairs: () => Promise.resolve([]),
    reports,
    embeds: { link: none },
    streams: { connect: () => false },
    ...rest,
  };
}

/** An answer that is given; throws where it was refused. */
export function given<Answer extends object>(answer: Answer | Refused): Answer {
  if (isRefused(answer)) throw new Error(`refused: ${JSON.stringify(answer.refused)}`);
  return answer;
}

/** Answer of an endpoint to these parameters; throws where it refuses. */
export async function answerOf<Moment, Query extends z.ZodObject, Answer extends z.ZodType<object>>(
  endpoint: Asked<Moment, Query, Answer>,
  moment: Moment,
  params: z.input<Query>,
): Promise<z.output<Answer>> {
  return given<z.output<Answer>>(await endpoint.ask(moment, endpoint.described.query.parse(params)));
}

/** A live cluster with these objects, as known at the moment of the samples. */
export function knownCluster(name: string, objects: readonly KnownObject[]): KnownCluster {
  const clusterCache = {
    name,
    record: sampleCluster(name),
    objects: new Map(objects.map((object) => [refKey(object.ref), object])),
    revision: 1,
    renewal: 1,
  };
  return buildKnown(clusterCache, { alarms: toldAlarms(objects), policy: defaultPolicy }, sampleNow, 1);
}
