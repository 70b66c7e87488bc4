import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { defaultIncidentPolicy, type IncidentPolicy } from '#lib/domain/incident/incident.ts';
import type { Log } from '#server/runtime/log.ts';
import { plainWriter, type EncodedWriter } from '../../codec/encoded.ts';
import type { OpenRefusal } from '../../port/open-refusal.ts';
import { forgottenAtOnce, sourceKey, type StepResult, type Lease, type StoreWriter } from '../../port/port.ts';
import { storeVersion } from '../../migrations/index.ts';
import { openAlarmState } from '../reading/alarms/alarm-state.ts';
import { openAlarmWriter } from './alarms/alarm-writer.ts';
import { openBatchWriter } from './batch-writer.ts';
import { emptyLogSoon, openForWriting } from '../database.ts';
import { openDictionary } from '../rows/dictionary.ts';
import { refusalOf } from '../failure.ts';
import { openHousekeeping } from '../housekeeping/housekeeping.ts';
import { openGroupCommit, type Outcome } from './group-commit.ts';
import { openLeases } from './leases.ts';
import { openStateReader } from '../reading/state-reader.ts';

/** Options for opening the file for writing. */
export interface SqliteWriterOptions {
  readonly path: string;
  readonly log: Log;
  /** Time to wait for another process's transaction (ms). The waiting blocks this thread. Default 5,000. */
  readonly busyTimeout?: number;
  /** The file never grows beyond so many bytes: a write that would make it so is refused as `full`. Default: no bound. */
  readonly maxBytes?: number;
  /** Decides which faults are one incident. Default: as plumbline.yaml has it without a word. */
  readonly incidents?: IncidentPolicy;
  /** Time within which somebody must be called (ms): figures of calls are added up ahead for it. Default: as plumbline.yaml has it without a word. */
  readonly alarmWithin?: number;
}

/** Who waits for a reader (ms) to empty the log holds up all that is written; it is tried again with the next step. */
const longestForLog = 100;

/**
 * Opens the SQLite engine's writing side with details as JSON texts (for the recorder's thread).
 * One process may have several; several processes may have one each. Calls that wait at the same time are committed together.
 */
export function openSqliteEncodedWriter(options: SqliteWriterOptions): EncodedWriter | OpenRefusal {
  const opened = openForWriting(options.path, options.busyTimeout ?? 5000);
  if (opened.type !== 'open') return opened;
  const { database, migratedFrom } = opened;
  if (migratedFrom === 0) options.log.debug({ path: options.path, version: storeVersion }, 'store created');
  else if (migratedFrom < storeVersion)
    options.log.info({ path: options.path, from: migratedFrom, to: storeVersion }, 'store migrated');
  if (options.maxBytes !== undefined) database.exec(`PRAGMA max_page_count = ${Math.ceil(options.maxBytes / 8192)}`);

  const dictionary = openDictionary(database);
  const leases = openLeases(database, dictionary);
  const policy = options.incidents ?? defaultIncidentPolicy;
  const batches = openBatchWriter(database, dictionary, policy);
  const alarms = openAlarmWriter(database, dictionary);
  const keeping = openHousekeeping(database, {
    ...{ dictionary, alone: leases.alone, policy },
    alarmWithin: options.alarmWithin ?? defaultPolicy.alarmWithin,
  });
  const stateOf = openStateReader(database);
  const alarmsOf = openAlarmState(database);
  const group = openGroupCommit(database, dictionary);
  // What was deleted before this process began may stand in the log, too.
  let deleted = true;

  /** `task` gives true where there is more to do. */
  async function underLease(lease: Lease, task: () => boolean | void): Promise<StepResult> {
    const outcome = await group.run<StepResult>(sourceKey(lease.source), () => {
      if (!leases.holds(lease)) return { type: 'fenced' };
      return task() === true ? { type: 'written', more: true } : { type: 'written' };
    });
    return outcome.type === 'committed' ? outcome.value : refusalOf(outcome.error, options.path);
  }

  function valueOf<T>(outcome: Outcome<T>): T {
    if (outcome.type === 'undone') throw outcome.error;
    return outcome.value;
  }

  return {
    async acquire(source, holder, now, ttl) {
      return valueOf(await group.run(sourceKey(source), () => leases.acquire(source, holder, now, ttl)));
    },
    async release(lease) {
      valueOf(await group.run(sourceKey(lease.source), () => leases.release(lease)));
    },
    async load(cluster) {
      group.flush();
      return stateOf(cluster);
    },
    write: (lease, batch) => underLease(lease, () => batches.write(lease.source, batch)),
    forget: (lease, at, most = forgottenAtOnce) => underLease(lease, () => batches.forget(lease.source, at, most)),
    async loadAlarms(source) {
      group.flush();
      return alarmsOf(source);
    },
    writeAlarms: (lease, batch) => underLease(lease, () => alarms.write(lease.source, batch)),
    forgetAlarms: (lease, at) => underLease(lease, () => alarms.forget(lease.source, at)),
    async keep(retention, now) {
      const kept = valueOf(await group.run('keeping', () => keeping(retention, now)));
      if (!kept.more && deleted) deleted = !emptyLogSoon(database, longestForLog);
      deleted ||= kept.more;
      return kept;
    },
    async close() {
      group.flush();
      if (database.isOpen) database.close();
    },
  };
}

/** Opens the SQLite engine's writing side. `written` means committed with full synchronisation to the disk. */
export function openSqliteWriter(options: SqliteWriterOptions): StoreWriter | OpenRefusal {
  const engine = openSqliteEncodedWriter(options);
  return 'type' in engine ? engine : plainWriter(engine);
}
