import { alarmBook } from '#lib/domain/alarm/alarm-book.ts';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readPodSettings } from '#server/config/container/pod-settings.ts';
import { bindRefusal, readProcessSettings } from '#server/config/process-settings.ts';
import { selectedConfig } from '#server/config/selected-config.ts';
import { gitSocketPath } from '#server/git/port/socket-path.ts';
import { systemClock } from '#server/runtime/clock.ts';
import { exitCode } from '#server/runtime/exit-code.ts';
import { createLog } from '#server/runtime/log.ts';
import { runAsChild } from '#server/runtime/process.ts';
import { openAccess } from './access/access.ts';
import { startAccess } from './access/start-access.ts';
import { linkList, linkListFile } from './embeds/link-list.ts';
import { mountNext } from './next-mount.ts';
import { readyUrl } from './ready-url.ts';
import { startWeb } from './start-web.ts';
import { sqliteStore } from './cache/store-source.ts';

const log = createLog('web');
const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs the web process until it is asked to end; gives the code to end with where it cannot begin. */
async function main(): Promise<number | null> {
  const read = readProcessSettings(process.env);
  if (read.type === 'invalid') {
    log.error({ reason: read.message }, 'settings cannot be used');
    return read.code;
  }
  const { selection, dataDirectory, host, port, metricsPort, mode } = read.settings;
  const ofPod = readPodSettings(process.env);
  if (ofPod.type === 'invalid') {
    log.error({ reason: ofPod.message }, 'settings cannot be used');
    return exitCode.config;
  }
  const loaded = await selectedConfig(selection, 'not-read');
  if (loaded.type === 'invalid') {
    log.error({ problems: loaded.problems }, 'configuration cannot be used');
    return exitCode.config;
  }
  const { auth, publicUrl } = loaded.config;
  const refusal = bindRefusal(host, loaded.config);
  if (refusal !== null) {
    log.error({ reason: refusal }, 'cannot serve');
    return exitCode.config;
  }
  const asking =
    auth === null || publicUrl === null ? openAccess : await startAccess({ auth, publicUrl, dataDirectory, log });
  if ('why' in asking) {
    log.error({ reason: asking.why }, 'nobody can be asked who they are');
    return asking.isPassing ? exitCode.temporary : exitCode.config;
  }
  let stop = (): Promise<void> => Promise.resolve();
  const child = runAsChild({ log, onShutdown: () => stop() });
  const web = await startWeb({
    alarms: alarmBook(),
    host,
    port,
    metricsPort,
    pod: ofPod.pod,
    ...sqliteStore(join(dataDirectory, 'plumbline.db'), log),
    policy: loaded.config.policy,
    retention: loaded.config.record,
    repositories: loaded.config.repositories,
    pairs: loaded.config.pairs,
    gitSocket: gitSocketPath(dataDirectory),
    embeds: loaded.config.embeds,
    links: linkList(join(dataDirectory, linkListFile)),
    publicUrl,
    access: asking,
    simulated: mode === 'demo',
    clock: systemClock,
    log,
    mountPages: (bound) => mountNext({ dir: root, hostname: host, port: bound }),
  });
  if (web.type === 'refused') {
    log.error({ reason: web.message }, 'cannot serve');
    return exitCode.unavailable;
  }
  stop = web.stop;
  child.ready({ url: publicUrl ?? readyUrl(host, web.port) });
  return null;
}

try {
  const ended = await main();
  if (ended !== null) process.exit(ended);
} catch (error) {
  log.error({ err: error }, 'the web process cannot begin');
  process.exit(exitCode.software);
}
