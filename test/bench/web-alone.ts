// The web process without its pages, for a benchmark on a checkout that was not built: node test/bench/web-alone.ts
import { alarmBook } from '#lib/domain/alarm/alarm-book.ts';
import { join } from 'node:path';
import { day } from '#lib/domain/time/length.ts';
import { loadConfig } from '#server/config/load-config.ts';
import { systemClock } from '#server/runtime/clock.ts';
import { createLog } from '#server/runtime/log.ts';
import { runAsChild } from '#server/runtime/process.ts';
import { openAccess } from '#server/web/access/access.ts';
import { linkList } from '#server/web/embeds/link-list.ts';
import { startWeb } from '#server/web/start-web.ts';
import { sqliteStore } from '#server/web/cache/store-source.ts';

const log = createLog('web');
let stop = (): Promise<void> => Promise.resolve();
const child = runAsChild({ log, onShutdown: () => stop() });
const loaded = await loadConfig(process.env['PLUMBLINE_CONFIG'] ?? '');
if (loaded.type === 'invalid') throw new Error(JSON.stringify(loaded.problems));
const web = await startWeb({
  alarms: alarmBook(),
  host: '127.0.0.1',
  port: 0,
  metricsPort: null,
  pod: null,
  ...sqliteStore(join(process.env['PLUMBLINE_DATA'] ?? '', 'plumbline.db'), log),
  policy: loaded.config.policy,
  retention: { spans: 400 * day, messages: 30 * day },
  repositories: loaded.config.repositories,
  pairs: loaded.config.pairs,
  gitSocket: '/nowhere/ask.sock',
  embeds: loaded.config.embeds,
  links: linkList('/nowhere/links.db'),
  publicUrl: loaded.config.publicUrl,
  access: openAccess,
  simulated: false,
  clock: systemClock,
  log,
  mountPages: null,
});
if (web.type === 'refused') throw new Error(web.message);
stop = web.stop;
child.ready({ url: `http://127.0.0.1:${web.port}` });
