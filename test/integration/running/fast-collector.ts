// A collector in a process of its own, on a clock that runs fast: started by restart.test.ts, which ends it in every way.
import { randomUUID } from 'node:crypto';
import { loadConfig } from '#server/config/load-config.ts';
import { createLog } from '#server/runtime/log.ts';
import { runAsChild } from '#server/runtime/process.ts';
import { fastClock } from './fast-clock.ts';
import { startCollector } from './running-fleet.ts';

const [configPath = '', directory = '', factor, startedAt] = process.argv.slice(2);
const log = createLog('collector');
const clock = fastClock(Number(factor), Number(startedAt));
const loaded = await loadConfig(configPath);
if (loaded.type === 'invalid') throw new Error(JSON.stringify(loaded.problems));
const collector = await startCollector({
  clock,
  log,
  directory,
  config: loaded.config,
  holder: randomUUID(),
  leaseTtl: 40_000,
});
runAsChild({ log, onShutdown: collector.stop }).ready();
