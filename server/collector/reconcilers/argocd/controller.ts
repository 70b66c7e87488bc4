// What Argo CD's application-controller is set to, and the heartbeat of its shards. Sources: argo-cd v3.2
// cmd/argocd-application-controller/commands, manifests/base/application-controller, controller/sharding/sharding.go.
import type { LoopInterval } from '#lib/domain/heartbeat/controller-liveness.ts';
import { at, isForeignObject, listAt, timeAt } from '#lib/foreign.ts';
import { nameAt, namesAt, unkeptTextAt } from '#lib/foreign-words.ts';
import type { ObservedLease } from '../../clusters/cluster-event.ts';
import { goDuration } from '../go-duration.ts';

/** Its name, as it stands in the label app.kubernetes.io/name of its StatefulSet or Deployment. */
export const applicationController = 'argocd-application-controller';
/** The ConfigMap of its settings: the only one, beside the one of its shards, that is read. */
export const settingsMap = 'argocd-cm';
/** The ConfigMap in which each shard writes its heartbeat, where clusters are distributed dynamically. */
export const shardsMap = 'argocd-app-controller-shard-cm';

/** A heartbeat is over after three of its intervals, which are 10 s unless ARGOCD_CONTROLLER_HEARTBEAT_TIME says up to 60. */
const longestTerm = 180;
/** A mapping has one entry a shard; more than this is none. */
const mostShards = 500;

interface Setting {
  readonly variable: string;
  readonly key: string;
  readonly flag: string;
  readonly byDefault: number;
}

const refresh: Setting = {
  variable: 'ARGOCD_RECONCILIATION_TIMEOUT',
  key: 'timeout.reconciliation',
  flag: 'app-resync',
  byDefault: 120_000,
};
const hardRefresh: Setting = {
  variable: 'ARGOCD_HARD_RECONCILIATION_TIMEOUT',
  key: 'timeout.hard.reconciliation',
  flag: 'app-hard-resync',
  byDefault: 0,
};
const jitter: Setting = {
  variable: 'ARGOCD_RECONCILIATION_JITTER',
  key: 'timeout.reconciliation.jitter',
  flag: 'app-resync-jitter',
  byDefault: 60_000,
};

/**
 * Interval at which it compares its Applications, ms with the jitter; `never` where both kinds of refresh are off. By the flags and
 * the environment of its pods, else by argocd-cm as its manifests do. `workload` is null where none is there, `settings` where
 * argocd-cm may not be read; null where a value is somewhere that is not read.
 */
export function applicationInterval(workload: unknown, settings: unknown): LoopInterval | null {
  const [soft, hard, spread] = [refresh, hardRefresh, jitter].map((setting) => valueOf(setting, workload, settings));
  if (typeof soft !== 'number' || typeof hard !== 'number' || typeof spread !== 'number') return null;
  const periods = [soft, hard].filter((period) => period > 0);
  return periods.length === 0 ? 'never' : Math.min(...periods) + spread;
}

function valueOf(setting: Setting, workload: unknown, settings: unknown): number | null {
  if (!isForeignObject(workload)) return inSettings(setting, settings);
  const container = listAt(workload, 'spec', 'template', 'spec', 'containers')[0];
  const flags = [...namesAt(container, 'command'), ...namesAt(container, 'args')];
  const given = flagValue(flags, setting.flag);
  if (given !== null) return /^\d{1,9}$/.test(given) ? Number(given) * 1000 : null;
  const variable = listAt(container, 'env').find((entry) => at(entry, 'name') === setting.variable);
  if (variable === undefined) return setting.byDefault;
  const reference = at(variable, 'valueFrom');
  if (!isForeignObject(reference)) return parsed(setting, nameAt(variable, 'value'));
  const isOurs = nameAt(reference, 'configMapKeyRef', 'name') === settingsMap;
  return isOurs && nameAt(reference, 'configMapKeyRef', 'key') === setting.key ? inSettings(setting, settings) : null;
}

function inSettings(setting: Setting, settings: unknown): number | null {
  return isForeignObject(settings) ? parsed(setting, nameAt(settings, 'data', setting.key)) : null;
}

/** Empty, or no duration: the controller takes its default (util/env ParseDurationFromEnv). */
function parsed({ byDefault }: Setting, text: string | null): number {
  return goDuration(text) ?? byDefault;
}

function flagValue(flags: readonly string[], name: string): string | null {
  let found: string | null = null;
  for (const [index, flag] of flags.entries()) {
    if (flag === `--${name}`) found = flags[index + 1] ?? found;
    if (flag.startsWith(`--${name}=`)) found = flag.slice(name.length + 3);
  }
  return found;
}

/**
 * The newest heartbeat of the shards, as a Lease: that one of them moves is all that can be told, for which Application is of
 * which shard stands nowhere. Null where there is none.
 */
export function shardHeartbeat(namespace: string, workload: unknown, map: unknown): ObservedLease | null {
  const text = unkeptTextAt(map, 'data', 'shardControllerMapping');
  if (text === null) return null;
  const newest = shardsOf(text).reduce<{ readonly holder: string; readonly time: number } | null>((found, shard) => {
    const holder = nameAt(shard, 'ControllerName');
    const time = timeAt(shard, 'HeartbeatTime');
    if (holder === null || holder === '' || time === null) return found;
    return found === null || time > found.time ? { holder, time } : found;
  }, null);
  if (newest === null) return null;
  return {
    namespace,
    name: shardsMap,
    holder: newest.holder,
    durationSeconds: heartbeatTerm(workload),
    renewTime: newest.time,
    transitions: null,
  };
}

/** In seconds; the longest where it is not known. */
function heartbeatTerm(workload: unknown): number {
  if (!isForeignObject(workload)) return longestTerm;
  const container = listAt(workload, 'spec', 'template', 'spec', 'containers')[0];
  const variable = listAt(container, 'env').find((entry) => at(entry, 'name') === 'ARGOCD_CONTROLLER_HEARTBEAT_TIME');
  if (variable === undefined) return 30;
  const each = Number(nameAt(variable, 'value') ?? Number.NaN);
  return each >= 10 && each <= 60 ? 3 * each : longestTerm;
}

function shardsOf(text: string): readonly unknown[] {
  try {
    const shards: unknown = JSON.parse(text);
    return Array.isArray(shards) ? shards.slice(0, mostShards) : [];
  } catch {
    return [];
  }
}
