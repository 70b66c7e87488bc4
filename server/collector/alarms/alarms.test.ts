import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type AlarmFact, factKey } from '#lib/domain/alarm/fact.ts';
import type { AlarmSource } from '#lib/domain/alarm/source.ts';
import { systemClock } from '#server/runtime/clock.ts';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import type { AlarmBatch } from '#server/store/port/alarm-batch.ts';
import { until } from '../clusters/testing/until.ts';
import { type AlarmSink, startAlarms } from './alarms.ts';
import { callingConfig, noticeAnswer, ruleAnswer, rulesAnswer, statusAnswer, vectorAnswer } from './testing/answers.ts';
import { nothingStored } from './testing/played-source.ts';
import { alarmEntry, programServer } from './testing/program-server.ts';

/** A sink that keeps everything in memory. */
function memorySink(given: Partial<AlarmSink> = {}) {
  const facts = new Map<string, AlarmFact>();
  const sources = new Map<string, AlarmSource>();
  const batches: { readonly source: string; readonly batch: AlarmBatch }[] = [];
  const sink: AlarmSink = {
    load: () => Promise.resolve(nothingStored),
    write(source, batch) {
      batches.push({ source, batch });
      if (batch.source !== null) sources.set(source, batch.source);
      for (const fact of batch.put) facts.set(`${source} ${factKey(fact)}`, fact);
      for (const key of batch.removed) facts.delete(`${source} ${key}`);
      return Promise.resolve();
    },
    ...given,
  };
  return { sink, facts, sources, batches };
}

function answers(path: string): unknown {
  switch (path) {
    case '/api/v1/rules':
      return rulesAnswer([ruleAnswer()]);
    case '/api/v1/query':
      return vectorAnswer([{ cluster: 'eu', kind: 'Kustomization', exported_namespace: 'flux-system', name: 'apps' }]);
    case '/api/v2/alerts':
      return [noticeAnswer()];
    case '/api/v2/silences':
      return [];
    default:
      return statusAnswer(callingConfig);
  }
}

function well({ url }: IncomingMessage, response: ServerResponse): void {
  response.end(JSON.stringify(answers(new URL(url ?? '', 'http://h').pathname)));
}

describe('startAlarms', () => {
  it('reads every source in its thread; one that drips, floods or says nonsense delays no other', async () => {
    const address = await programServer(well);
    const flood = gzipSync(Buffer.alloc(100 * 1024 ** 2, '['));
    const hostile = await programServer(({ url = '' }, response) => {
      if (url.startsWith('/drips')) {
        response.write('[');
        const drip = setInterval(() => response.write(' '), 20);
        response.on('close', () => clearInterval(drip));
      } else if (url.startsWith('/floods')) {
        response.setHeader('content-encoding', 'gzip');
        response.end(flood);
      } else if (url.startsWith('/deep')) response.end('['.repeat(10 * 1024 ** 2));
      else response.end('{"status":"success","data":{"groups":[{"rules":[7,null,{"type":"alerting"}]}]}}');
    });
    const { sink, facts, sources } = memorySink();
    const names = ['drips', 'floods', 'deep', 'nonsense'];
    const entries = [
      ...names.map((name) => alarmEntry({ name, prometheus: `${hostile}/${name}` })),
      alarmEntry({ name: 'well', prometheus: address, alertmanagers: [address] }),
    ];
    const alarms = startAlarms({ entries, sink, clock: systemClock, log: silentLog });
    onTestFinished(() => alarms.stop());
    await until('the source that is well', () => facts.has('well scope/eu gotk_resource_info'));
    const isLive = ({ state }: { readonly state: string }): boolean => state === 'live';
    await until('all its programs', () => sources.get('well')?.programs.every(isLive));
    const reason = (name: string) => sources.get(name)?.programs[0]?.reason;
    await until('the flood', () => reason('floods') !== null && reason('deep') !== null);
    expect(reason('floods')).toBe('Its answer to /api/v1/rules is larger than 64 MB.');
    expect(reason('deep')).toBe('Its answer is JSON that is nested too deeply, or holds too many values.');
    await until('the nonsense', () => sources.get('nonsense')?.cut.length === 1);
    expect(sources.get('nonsense')?.cut).toEqual(['1 rule could not be read, and is left out.']);
    expect(sources.get('drips')?.programs[0]?.state).toBe('reading');
    expect(alarms.ages().filter(({ source }) => source === 'well')).toEqual([
      { source: 'well', program: 'prometheus', url: address, readAt: expect.any(Number), isLive: true },
      { source: 'well', program: 'alertmanager', url: address, readAt: expect.any(Number), isLive: true },
    ]);
  }, 30_000);

  it('says when it stops that nothing is read any more, and ends its thread', async () => {
    const address = await programServer(well);
    const { sink, batches, facts } = memorySink();
    const alarms = startAlarms({
      entries: [alarmEntry({ prometheus: address })],
      sink,
      clock: systemClock,
      log: silentLog,
    });
    await until('a reading', () => facts.size > 2);
    await until('its coverage', () => batches.some(({ batch }) => batch.coverage.some(({ read }) => read)));
    await alarms.stop();
    expect(batches.at(-1)?.batch.coverage).toMatchObject([{ read: false, reason: 'Plumbline has stopped.' }]);
  });

  it('begins once the store can be read', async () => {
    const address = await programServer(well);
    const clock = fakeClock();
    let loads = 0;
    const kept = memorySink();
    const load = (source: string) => ((loads += 1) === 1 ? Promise.reject(new Error('busy')) : kept.sink.load(source));
    const entries = [alarmEntry({ prometheus: address })];
    const alarms = startAlarms({ entries, sink: { ...kept.sink, load }, clock, log: silentLog });
    onTestFinished(() => alarms.stop());
    await until('the pause before the store is asked again', () => clock.pending() > 0);
    expect(kept.batches).toEqual([]);
    clock.advance(5_000);
    await until('a reading', () => kept.facts.size > 2);
  });

  it('starts its thread again where it dies', async () => {
    const clock = fakeClock();
    const errors: string[] = [];
    const { sink } = memorySink();
    const mortal = new URL(`data:text/javascript,${encodeURIComponent('throw new Error("out of memory")')}`);
    const log = { ...silentLog, error: (_: object, message: string) => void errors.push(message) };
    const alarms = startAlarms({ entries: [alarmEntry()], sink, clock, log, file: mortal });
    onTestFinished(() => alarms.stop());
    const told = ['the thread that reads alarms failed', 'the thread that reads alarms ended; starting it again'];
    await until('its end', () => errors.length === 2);
    expect(errors).toEqual(told);
    clock.advance(5_000);
    await until('its second end', () => errors.length === 4);
    expect(errors).toEqual([...told, ...told]);
    await alarms.stop();
    clock.advance(60_000);
    expect(errors).toHaveLength(4);
  });

  it('starts no thread where no source is configured', async () => {
    const alarms = startAlarms({ entries: [], sink: memorySink().sink, clock: systemClock, log: silentLog });
    expect(alarms.ages()).toEqual([]);
    await alarms.stop();
  });
});
