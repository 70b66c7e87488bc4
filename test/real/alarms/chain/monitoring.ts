import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { flags } from '../../harness/flags.ts';
import type { BedProcess, Processes } from '../../harness/processes.ts';
import { mustCome } from '../../harness/until.ts';

/** Binaries of one Prometheus and one Alertmanager. */
export interface MonitoringPrograms {
  readonly prometheus: string;
  readonly alertmanager: string;
}

/** Files that both have loaded, as texts or as they are to be written. */
export interface MonitoringFiles {
  /** Rules for Prometheus. */
  readonly rules: string;
  /** Of what Prometheus sends to Alertmanager: its alert_relabel_configs. */
  readonly relabel: readonly object[];
  /** The configuration of Alertmanager. */
  readonly alertmanager: object;
}

/** A Prometheus that scrapes and evaluates each second, and the Alertmanager that it sends to. */
export interface Monitoring {
  /** The Alertmanager's process. */
  readonly alerting: BedProcess;
  /** Has both load these files, and throws where either refuses. */
  load(files: MonitoringFiles): Promise<void>;
  /** Starts the Prometheus, and waits until it answers. */
  watch(): Promise<void>;
  /** Waits until the Alertmanager answers. */
  ready(): Promise<void>;
  /** Silences alerts with this label for an hour; gives the id. */
  silence(name: string, value: string): Promise<string>;
  /** Ends a silence. */
  expire(id: string): Promise<void>;
}

/** Host and port of each. */
export interface MonitoringHosts {
  readonly prometheus: string;
  readonly alertmanager: string;
}

/** Options for starting them. */
interface MonitoringOptions {
  readonly programs: MonitoringPrograms;
  readonly hosts: MonitoringHosts;
  /** Cluster that its Prometheus is of, by an external label. */
  readonly cluster: string;
  readonly folder: string;
  /** Host and port of kube-state-metrics. */
  readonly scraped: string;
  readonly files: MonitoringFiles;
}

/** Starts the Alertmanager, and waits until it answers. */
export async function startMonitoring(processes: Processes, options: MonitoringOptions): Promise<Monitoring> {
  const { cluster, folder, programs } = options;
  const { prometheus, alertmanager } = options.hosts;
  await mkdir(folder, { recursive: true });
  const write = async ({ rules, relabel, alertmanager: routes }: MonitoringFiles): Promise<void> => {
    await writeFile(join(folder, 'rules.yaml'), rules);
    await writeFile(join(folder, 'alertmanager.yml'), stringify(routes));
    const global = { scrape_interval: '1s', evaluation_interval: '1s', external_labels: { cluster } };
    const alerting = {
      alert_relabel_configs: relabel,
      alertmanagers: [{ static_configs: [{ targets: [alertmanager] }] }],
    };
    const job = { job_name: 'kube-state-metrics', static_configs: [{ targets: [options.scraped] }] };
    const config = { global, alerting, rule_files: ['rules.yaml'], scrape_configs: [job] };
    await writeFile(join(folder, 'prometheus.yml'), stringify(config));
  };
  await write(options.files);
  const alerting = processes.start({
    name: `alertmanager-${cluster}`,
    command: programs.alertmanager,
    revive: false,
    args: [
      '--cluster.listen-address=',
      ...flags({
        '--config.file': join(folder, 'alertmanager.yml'),
        '--storage.path': join(folder, 'alertmanager'),
        '--web.listen-address': alertmanager,
      }),
    ],
  });
  const ready = (host: string): Promise<true> =>
    mustCome(`${host} ready`, async () => (await fetch(`http://${host}/-/ready`)).ok || null, 60_000);
  await ready(alertmanager);
  const api = `http://${alertmanager}/api/v2`;
  return {
    alerting,
    async load(files) {
      await write(files);
      for (const host of [alertmanager, prometheus]) {
        const answer = await fetch(`http://${host}/-/reload`, { method: 'POST' });
        if (!answer.ok) throw new Error(`${host} refuses its files: ${await answer.text()}`);
      }
    },
    async watch() {
      processes.start({
        name: `prometheus-${cluster}`,
        command: programs.prometheus,
        revive: false,
        args: [
          '--web.enable-lifecycle',
          ...flags({
            '--config.file': join(folder, 'prometheus.yml'),
            '--storage.tsdb.path': join(folder, 'prometheus'),
            '--web.listen-address': prometheus,
            // An Alertmanager that was away is told again soon.
            '--rules.alert.resend-delay': '2s',
          }),
        ],
      });
      await ready(prometheus);
    },
    ready: async () => void (await ready(alertmanager)),
    async silence(name, value) {
      const matchers = [{ name, value, isRegex: false, isEqual: true }];
      const now = Date.now();
      const [startsAt, endsAt] = [new Date(now).toISOString(), new Date(now + 3_600_000).toISOString()];
      const body = JSON.stringify({ matchers, startsAt, endsAt, createdBy: 'ada', comment: 'migration' });
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${api}/silences`, { method: 'POST', headers, body });
      const said = await answer.text();
      const id = /"silenceID":"([^"]+)"/.exec(said)?.[1];
      if (id === undefined) throw new Error(`no silence: ${said}`);
      return id;
    },
    async expire(id) {
      const answer = await fetch(`${api}/silence/${id}`, { method: 'DELETE' });
      if (!answer.ok) throw new Error(`silence ${id} does not end: ${await answer.text()}`);
    },
  };
}
