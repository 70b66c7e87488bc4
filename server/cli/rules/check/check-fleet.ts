import { checkRules } from '#lib/domain/alarm/rules-check.ts';
import type { AlarmEntry } from '#server/config/alarms-schema.ts';
import type { PlumblineConfig } from '#server/config/schema.ts';
import { systemClock } from '#server/runtime/clock.ts';
import { exitCode } from '#server/runtime/exit-code.ts';
import { createLog, readLogLevel } from '#server/runtime/log.ts';
import type { Output } from '../../output.ts';
import { fleetKinds, onlyClusters } from '../fleet-kinds.ts';
import { type FleetOptions, readFleet } from '../read-fleet.ts';
import { sayLines } from '../say-lines.ts';
import { checkCode, checkCount, checkLines } from './check-lines.ts';
import { checkedKinds } from './checked-kinds.ts';
import { checkedSource } from './checked-sources.ts';
import { sourcesOnce } from './sources-once.ts';
import { type ToldSources, toldSources } from './told-sources.ts';

/** Options of `plumbline rules --check`. */
export interface CheckFleetOptions extends FleetOptions {
  /** The one cluster that is compared. */
  readonly cluster?: string | undefined;
}

/** As `check` ends where no object was found. */
const nothingKnown = 2;
const mostClusters = 20;

/** `plumbline rules --check`: compares the kinds of a fleet with the alarms that its sources have loaded. Gives the exit code. */
export async function checkFleet(options: CheckFleetOptions, output: Output): Promise<number> {
  const recorded = toldSources();
  const read = await readFleet(options, output, { failure: 'No check', refuse: withoutSource, heard: recorded.hear });
  if (read.type === 'refused') {
    for (const line of read.lines) output.say(line);
    return read.code;
  }
  sayLines(output, 'Not seen, so not checked', read.blind);
  const whole = fleetKinds(read.clusters, read.objects, false);
  if (whole.kinds.length === 0) {
    output.say('No check: no object of any kind that Plumbline reads is known.');
    return nothingKnown;
  }
  const fleet = options.cluster === undefined ? whole : onlyClusters(whole, [options.cluster]);
  if (fleet === null) {
    const known = whole.clusters.slice(0, mostClusters).join(', ');
    output.say(`No check: no object on a cluster ${options.cluster} is known. There are: ${known}.`);
    return exitCode.usage;
  }
  sayLines(output, 'Left out', fleet.leftOut);
  const { alarms, policy } = read.config;
  const told = read.isRecord ? recorded : await readSources(alarms, options, output);
  const now = systemClock.now();
  const sources = alarms.map((entry) => checkedSource(entry, told.of(entry.name), now));
  const lacks = sources.flatMap(({ lack }) => lack ?? []);
  sayLines(output, 'Not known', lacks);
  const result = checkRules(
    sources.map(({ checked }) => checked),
    checkedKinds(fleet, read.objects),
    { alarmWithin: policy.alarmWithin },
  );
  for (const line of checkLines(result)) output.out(line);
  output.say(checkCount(result));
  return checkCode(result, lacks.length + read.blind.length + fleet.leftOut.length > 0);
}

function withoutSource({ alarms }: PlumblineConfig): readonly string[] {
  if (alarms.length > 0) return [];
  return [
    'No check: no alarm source is configured. Write in plumbline.yaml, with your addresses:',
    'alarms: [{ prometheus: "http://prometheus:9090", alertmanager: "http://alertmanager:9093" }]',
  ];
}

async function readSources(
  entries: readonly AlarmEntry[],
  { timeout }: CheckFleetOptions,
  output: Output,
): Promise<ToldSources> {
  output.say('Reading the alarm sources once.');
  const told = await sourcesOnce(entries, {
    clock: systemClock,
    log: createLog('rules', readLogLevel(process.env, 'error')),
    within: timeout * 1000,
    onProgress: (done) => output.status?.(`${done} of ${entries.length} alarm sources read`),
  });
  output.status?.(null);
  return told;
}
