import { countOf } from '#lib/format/number.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { logLevelRefusal } from '../../runtime/log.ts';
import type { Output } from '../output.ts';
import { checkFleet } from './check/check-fleet.ts';
import type { AlarmEntry } from '../../config/alarms-schema.ts';
import { canHold, holdOf, wayTime, wayTimes } from './alarm-time.ts';
import { type ClusterNaming, namingOf } from './cluster-naming.ts';
import { rulesFiles, type RulesFile, type RulesFormat } from './documents.ts';
import { fleetKinds, type FleetKinds, onlyClusters } from './fleet-kinds.ts';
import { metricRules } from './metric-rules.ts';
import { objectRules } from './object-rules.ts';
import { ownRules } from './own-rules.ts';
import { promDuration } from './promql.ts';
import { type FleetOptions, readFleet } from './read-fleet.ts';
import { sayLines } from './say-lines.ts';
import { writeFiles } from './write-files.ts';

/** Options of `plumbline rules`. */
export interface RulesOptions extends FleetOptions {
  readonly format: RulesFormat;
  /** Folder for the files; standard output where absent. */
  readonly output?: string | undefined;
  readonly allKinds?: boolean | undefined;
  /** Nothing is written: what is loaded is compared. */
  readonly check?: boolean | undefined;
  /** The one cluster that the Prometheus is of. */
  readonly cluster?: string | undefined;
  /** The one alarm source that loads them. */
  readonly source?: string | undefined;
}

/** Settings of the fleet that rules follow. */
export interface RulesPolicy {
  /** ms */
  readonly alarmWithin: number;
  readonly publicUrl: string | null;
  readonly naming: ClusterNaming;
}

/** Files with the rules of a fleet, and what is to be said of them to a person. */
export interface Written {
  readonly files: readonly RulesFile[];
  readonly notes: readonly string[];
}

const mostClusters = 20;

/** `plumbline rules`: writes the alarms for the kinds that a fleet has, and what exports their state; with `check` it compares those that are loaded. Gives the exit code. */
export async function rules(options: RulesOptions, output: Output): Promise<number> {
  const level = logLevelRefusal(process.env);
  if (level !== null) {
    output.say(`${level}.`);
    return exitCode.usage;
  }
  if (options.check === true) return checkFleet(options, output);
  const read = await readFleet(options, output, { failure: 'No rules' });
  if (read.type === 'refused') {
    for (const line of read.lines) output.say(line);
    return read.code;
  }
  sayLines(output, 'Not seen, so not among the rules', read.blind);
  const whole = fleetKinds(read.clusters, read.objects, options.allKinds === true);
  if (whole.kinds.length === 0) {
    output.say(
      'No rules: no object of any kind that Plumbline reads is known. --all-kinds writes those that it knows.',
    );
    return noObjects;
  }
  const { policy, publicUrl, alarms } = read.config;
  const meant = meantBy(options, whole, alarms);
  if (meant.type === 'refused') {
    output.say(meant.line);
    return exitCode.usage;
  }
  const { fleet, naming } = meant;
  const settings = { alarmWithin: policy.alarmWithin, publicUrl, naming };
  const written = await writtenRules(fleet, settings, options.format, options.cluster === undefined);
  for (const note of written.notes) output.say(note);
  return give(written.files, options.output, output);
}

type Meant =
  | { readonly type: 'fleet'; readonly fleet: FleetKinds; readonly naming: ClusterNaming }
  | { readonly type: 'refused'; readonly line: string };

/** The part of a fleet for which rules are written, and how its sources name clusters. */
function meantBy({ cluster, source }: RulesOptions, whole: FleetKinds, alarms: readonly AlarmEntry[]): Meant {
  const read = namingOf(alarms, { cluster, source });
  if (read.type === 'refused') return read;
  const { naming, clusters } = read;
  const known = whole.clusters.slice(0, mostClusters).join(', ');
  const asked = cluster === undefined ? clusters : [cluster];
  const fleet = asked.length === 0 ? whole : onlyClusters(whole, asked);
  if (fleet !== null) return { type: 'fleet', fleet, naming };
  const where = cluster === undefined ? `a cluster of ${source ?? ''}` : `a cluster ${cluster}`;
  return { type: 'refused', line: `No rules: no object on ${where} is known. There are: ${known}.` };
}

/** As `check` ends where no object was found. */
const noObjects = 2;

/** The files for a fleet; `withOwn`: with the rules on Plumbline itself, for the Prometheus that scrapes it. */
export async function writtenRules(
  fleet: FleetKinds,
  { alarmWithin, publicUrl, naming }: RulesPolicy,
  format: RulesFormat,
  withOwn: boolean,
): Promise<Written> {
  const holds = holdOf(alarmWithin);
  const hold = promDuration(holds);
  const settings = { hold, publicUrl: publicUrl?.replace(/\/$/, '') ?? null, naming };
  const onMetrics = metricRules(fleet, settings);
  const interval = promDuration(wayTimes.evaluation);
  const groups = [
    { name: 'plumbline-objects', interval, rules: objectRules(fleet.kinds, settings) },
    { name: 'plumbline-metrics', interval, rules: onMetrics.rules },
  ];
  const own = withOwn ? await ownRules(holds, hold) : [];
  return {
    files: rulesFiles({ fleet, groups, own, alarmWithin, hold, naming }, format),
    notes: [
      `Rules for ${countOf(fleet.kinds.length, 'kind')} on ${countOf(fleet.clusters.length, 'cluster')}.`,
      ...[...fleet.leftOut, ...onMetrics.leftOut].map((what) => `Left out: ${what.replace(/\.$/, '')}.`),
      ...(canHold(alarmWithin)
        ? []
        : [
            `policy.alarmWithin is ${promDuration(alarmWithin)}, and the way to a call alone takes up to ${promDuration(wayTime)}: alarms may come later than the policy says.`,
          ]),
      ...(publicUrl === null ? ['publicUrl is not set in plumbline.yaml, so no alert leads back to Plumbline.'] : []),
      ...(withOwn
        ? []
        : ['The rules on Plumbline itself are left out: they belong to the Prometheus that scrapes it.']),
      'Fill in who is called, in alertmanager.yaml: Plumbline knows no key of a pager.',
    ],
  };
}

async function give(files: readonly RulesFile[], folder: string | undefined, output: Output): Promise<number> {
  if (folder === undefined) {
    output.out(
      files
        .map(({ name, text }) => `# ${name}\n${text}`)
        .join('---\n')
        .trimEnd(),
    );
    return exitCode.ok;
  }
  try {
    await writeFiles(folder, files);
    return exitCode.ok;
  } catch (error) {
    output.say(`No rules: ${folder} cannot be written: ${error instanceof Error ? error.message : String(error)}.`);
    return exitCode.unavailable;
  }
}
