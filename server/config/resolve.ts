import { isAbsolute, resolve } from 'node:path';
import { homedir } from 'node:os';
import { authSettings } from './access/auth-settings.ts';
import { alarmEntryOf } from './alarms-schema.ts';
import { repositoryEntry } from './git/repository-schema.ts';
import { type DeclaredStack, rowOf } from './declared-stack.ts';
import type { ClusterEntry, ConfigFile, PlumblineConfig } from './schema.ts';

/** Turns the file as it is written into the configuration: paths absolute against `folder`, defaults filled in. */
export function resolveConfig(file: ConfigFile, folder: string): PlumblineConfig {
  const path = (written: string): string => absolutePath(written, folder);
  const { incidents, maintenance, alarms, ...policy } = file.policy;
  return {
    publicUrl: file.publicUrl === undefined ? null : new URL(file.publicUrl).origin,
    auth: file.auth === undefined ? null : authSettings(file.auth, path),
    clusters: file.clusters.map((entry) => clusterEntry(entry, path)),
    repositories: file.repositories.map((entry) => repositoryEntry(entry, path, (url) => repositoryUrl(url, path))),
    pairs: file.compare.pairs.map(({ repository, ...pair }) => ({
      ...pair,
      repository: repository === undefined ? null : repositoryUrl(repository, path),
    })),
    git: file.git,
    alarms: file.alarms.map((entry) => alarmEntryOf(entry, path)),
    stacks: file.stacks.map((stack) => declaredStack(stack, path)),
    policy: {
      ...policy,
      maintenance: maintenance.map((window) => ({ ...window, until: Date.parse(window.until) })),
      notifications: alarms.notifications,
    },
    incidents,
    record: file.record,
    security: { ...file.security, hubs: file.security.hubs ?? 'unsaid' },
    embeds: {
      keys: file.embeds.keys === undefined ? null : path(file.embeds.keys),
      frameAncestors: file.embeds.frameAncestors,
      readersSign: file.embeds.links === 'api' ? file.embeds.mostDays : null,
    },
    messages: file.messages,
  };
}

function clusterEntry(entry: ConfigFile['clusters'][number], path: (written: string) => string): ClusterEntry {
  if (entry.directory !== undefined)
    return {
      type: 'directory',
      directory: path(entry.directory),
      trusted: entry.trusted ?? false,
      labels: entry.labels,
    };
  return {
    type: 'cluster',
    name: entry.name ?? '',
    kubeconfig: entry.kubeconfig === undefined ? null : path(entry.kubeconfig),
    context: entry.context ?? null,
    labels: entry.labels,
    execPlugin: 'allow-list',
  };
}

function declaredStack(stack: ConfigFile['stacks'][number], path: (written: string) => string): DeclaredStack {
  return {
    name: stack.name,
    tool: stack.tool,
    row: rowOf(stack),
    labels: stack.labels,
    repository: stack.repository === undefined ? null : repositoryUrl(stack.repository, path),
    path: stack.path ?? null,
    reason: stack.reason ?? null,
  };
}

function absolutePath(written: string, folder: string): string {
  if (written === '~' || written.startsWith('~/')) return resolve(homedir(), written.slice(2));
  return isAbsolute(written) ? written : resolve(folder, written);
}

/** A repository in the file system may be given as a path; everything with a scheme or a host stays. */
function repositoryUrl(url: string, path: (written: string) => string): string {
  return /^(?:\.{1,2}\/|~\/)/.test(url) ? path(url) : url;
}
