import type { AlarmCall } from '#lib/domain/alarm/call.ts';
import type { AlarmSource } from '#lib/domain/alarm/source.ts';
import type { AlarmEntry } from '#server/config/alarms-schema.ts';
import type { Clock } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import type { AlarmBatch, StoredAlarms } from '#server/store/port/alarm-batch.ts';
import { pause } from '../../clusters/pause.ts';
import { alertmanagerProgram } from '../alertmanager/alertmanager-program.ts';
import { type AskerDeps, type Ask, createAsk } from '../asking/ask.ts';
import { prometheusProgram } from '../prometheus/prometheus-program.ts';
import { createCoverage } from './coverage.ts';
import { createOutbox } from './outbox.ts';
import type { Program, ProgramDeps } from './program.ts';
import { rulesReading } from './rules-reading.ts';

/** Parameters of the reading of one source. */
export interface SourceDeps {
  readonly entry: AlarmEntry;
  readonly stored: StoredAlarms;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: () => number;
  /** Lets others of the thread have their turn. */
  readonly turn: () => Promise<void>;
  /** Stores a batch; rejects where it could not be stored. One is written at a time. */
  readonly write: (batch: AlarmBatch) => Promise<void>;
  /** Makes what asks a program; another one in tests. */
  readonly asker?: (deps: AskerDeps) => Ask;
}

/** A source that is being read. */
export interface RunningSource {
  /** Ends the readings, and writes once more what is known. */
  stop(): Promise<void>;
}

/** A batch that could not be stored is tried again after this (ms). */
const writeAgainAfter = 5_000;

/** While a batch waits longer than this to be stored, nothing new is read (ms). */
const longestWrite = 30_000;

/** So often it is looked whether something may be read again (ms). */
const lookAgainAfter = 1_000;

const mostCutTold = 20;

/** Reads every program of a source, each on its own, and hands on what differs, one batch after the other. */
export function startSource(deps: SourceDeps): RunningSource {
  const { entry, stored, clock, log, write } = deps;
  const ending = new AbortController();
  const outbox = createOutbox(stored);
  const { keeper, first } = createCoverage(entry.name, entry.attribution.clusters, stored.source, clock.now());
  outbox.add(closedCalls(entry, stored.openCalls, clock.now()), [first]);
  const programs = programsOf(deps, ending.signal, onRead);
  let writing: Promise<void> | null = null;
  let waits = false;
  /** Since when a batch is being stored that is not yet; null where none is. */
  let unstoredSince: number | null = null;

  function present(): AlarmSource {
    const cut = [...new Set(programs.flatMap((program) => program.cut()))].slice(0, mostCutTold);
    const { name, attribution } = entry;
    return { name, attribution, programs: programs.map((program) => program.standing()), cut };
  }

  function onRead(from: number, calls: readonly AlarmCall[]): void {
    const untold = programs.flatMap((program) => program.untold() ?? []);
    outbox.add(calls, keeper.after(present(), from, clock.now(), untold[0] ?? null));
    flush();
  }

  function flush(): void {
    waits = true;
    writing ??= writeAll();
  }

  /** Gives false where it could not be stored. */
  async function writeOnce(): Promise<boolean> {
    const next = outbox.batch(
      { source: present(), facts: programs.flatMap((program) => program.facts()) },
      clock.now(),
    );
    if (next === null) return true;
    unstoredSince ??= clock.now();
    try {
      await write(next.batch);
      next.written();
      unstoredSince = null;
      return true;
    } catch (error) {
      log.warn({ source: entry.name, error: String(error) }, 'what an alarm source told could not be stored');
      unstoredSince = -Infinity;
      return false;
    }
  }

  async function writeAll(): Promise<void> {
    while (waits && !ending.signal.aborted) {
      waits = false;
      if (await writeOnce()) continue;
      waits = true;
      await pause(clock, writeAgainAfter, ending.signal);
    }
    writing = null;
  }

  const mayRead = (): boolean => unstoredSince === null || clock.now() - unstoredSince < longestWrite;
  const readings = programs.map((program) => runTasks(program, { clock, signal: ending.signal, mayRead }));
  flush();
  return {
    async stop() {
      ending.abort();
      await Promise.all([...readings, writing]);
      outbox.add([], keeper.stopped(clock.now()));
      await writeOnce();
    },
  };
}

function programsOf(deps: SourceDeps, signal: AbortSignal, onRead: ProgramDeps['onRead']): readonly Program[] {
  const { entry, stored, clock, log, random, turn, asker = createAsk } = deps;
  const { facts, openCalls } = stored;
  let rules: Pick<Program, 'facts'> | null = null;
  const readsObjects = rulesReading(() => rules?.facts() ?? []);
  const at = (address: string): ProgramDeps => {
    const ask = asker({ entry, address, clock, signal });
    return { entry, address, ask, clock, log, random, signal, turn, stored: facts, openCalls, readsObjects, onRead };
  };
  const prometheus = entry.prometheus === null ? null : prometheusProgram(at(entry.prometheus));
  rules = prometheus;
  return [
    ...(prometheus === null ? [] : [prometheus]),
    ...entry.alertmanagers.map((address) => alertmanagerProgram(at(address))),
  ];
}

/** Calls of Alertmanagers that are configured no longer: nobody reads when they end. */
function closedCalls({ alertmanagers }: AlarmEntry, open: readonly AlarmCall[], at: number): readonly AlarmCall[] {
  const isRead = ({ key }: AlarmCall): boolean => alertmanagers.some((address) => key.startsWith(`${address} `));
  return open.filter((call) => !isRead(call)).map((call) => ({ ...call, to: Math.max(at, call.from) }));
}

interface TurnDeps {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** False while what was read before cannot be stored: more of it would only be forgotten. */
  readonly mayRead: () => boolean;
}

/** Runs the tasks of one program as they fall due, never two at once. */
async function runTasks({ tasks }: Program, { clock, signal, mayRead }: TurnDeps): Promise<void> {
  while (!signal.aborted) {
    const now = clock.now();
    const due = tasks.find((task) => task.dueAt() <= now);
    if (due !== undefined && mayRead()) {
      await due.run();
      continue;
    }
    const next = Math.min(...tasks.map((task) => task.dueAt()));
    await pause(clock, due === undefined ? next - now : lookAgainAfter, signal);
  }
}
