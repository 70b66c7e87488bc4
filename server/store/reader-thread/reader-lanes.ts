import type { Clock } from '#server/runtime/clock.ts';
import { fairQueue } from '#server/runtime/turns/fair-queue.ts';
import { describeOpenRefusal, type OpenRefusal } from '../port/open-refusal.ts';
import type { StoreReader } from '../port/port.ts';
import type { RecordReader, RecordScope } from '../port/record-port.ts';
import type { InSteps } from '../sqlite/reading/record/record-reader.ts';
import { stepTurns } from './step-turns.ts';

/** Questions of one thread that are answered side by side, step by step. */
export const lanesAtOnce = 12;
/** Lanes that stay open while nobody asks: each remembers what it has read last, and takes memory for it. */
const lanesKept = 2;

/** A connection of its own: its question sees one moment of the store through all of its steps, whatever the others ask. */
interface Lane {
  readonly reader: StoreReader;
  /** Begins a question. */
  readonly begin: () => void;
  /** Scope that it was asked for last: it remembers most of that. */
  scope: string;
}

/** Opens a lane. */
type OpenLane = (inSteps: InSteps) => Promise<StoreReader | OpenRefusal>;

/** Figures of a part of clusters: what the largest take would keep everybody waiting for ten seconds. */
type Stepped = 'absenceFigures' | 'alarmFigures' | 'shares' | 'wallClock' | 'worst';

/**
 * The same reader, which answers figures in steps: between two of them it takes what else is asked, and a step of other figures. `open` opens another one of the same store,
 * which waits between two steps as it is told to.
 */
export function inLanes(reader: StoreReader, open: OpenLane, clock: Clock): StoreReader {
  const lanes = openLanes(open, clock);
  const { record } = reader;
  const figures: Pick<RecordReader, Stepped> = {
    absenceFigures: (scope, ...asked) => lanes.ask(scope, (lane) => lane.absenceFigures(scope, ...asked)),
    alarmFigures: (scope, ...asked) => lanes.ask(scope, (lane) => lane.alarmFigures(scope, ...asked)),
    shares: (scope, ...asked) => lanes.ask(scope, (lane) => lane.shares(scope, ...asked)),
    wallClock: (scope, ...asked) => lanes.ask(scope, (lane) => lane.wallClock(scope, ...asked)),
    worst: (scope, ...asked) => lanes.ask(scope, (lane) => lane.worst(scope, ...asked)),
  };
  return {
    ...reader,
    record: { ...record, ...figures },
    async close() {
      await Promise.all([reader.close(), lanes.close()]);
    },
  };
}

function openLanes(open: OpenLane, clock: Clock) {
  const turns = stepTurns(clock);
  const queue = fairQueue({ all: lanesAtOnce, ofOne: lanesAtOnce });
  /** Those that nobody asks now; the one that was asked last stands last. */
  const idle: Lane[] = [];

  async function take(scope: string): Promise<Lane> {
    const alike = idle.findLastIndex((lane) => lane.scope === scope);
    const [found] = idle.splice(alike === -1 ? 0 : alike, alike === -1 && idle.length < lanesKept ? 0 : 1);
    if (found !== undefined) return found;
    let question = turns.begin();
    const reader = await open({ turn: () => turns.turn(question) });
    if ('type' in reader) throw new Error(`${describeOpenRefusal(reader)}.`);
    return { reader, scope, begin: () => void (question = turns.begin()) };
  }

  async function leave(lane: Lane): Promise<void> {
    idle.push(lane);
    if (idle.length > lanesKept) await idle.shift()?.reader.close();
  }

  return {
    ask: <Answer>(scope: RecordScope, question: (record: RecordReader) => Promise<Answer>): Promise<Answer> =>
      queue.run('', async () => {
        const key = JSON.stringify(scope);
        const lane = await take(key);
        lane.scope = key;
        lane.begin();
        try {
          return await question(lane.reader.record);
        } finally {
          await leave(lane);
        }
      }),
    async close() {
      await Promise.all(idle.splice(0).map((lane) => lane.reader.close()));
    },
  };
}
