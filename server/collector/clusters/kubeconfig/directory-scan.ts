import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { at } from '#lib/foreign.ts';
import { clusterName } from '#server/config/field-schemas.ts';
import { readYaml } from '#server/config/yaml-text.ts';
import { readBoundedFile } from '#server/runtime/bounded-file.ts';
import type { Log } from '#server/runtime/log.ts';
import { saying } from '../redact.ts';
import type { KubeconfigAccess, KubeconfigOptions } from './kubeconfig-access.ts';
import { openKubeconfig } from './open-kubeconfig.ts';

/** A change in a directory of kubeconfigs. `name`: the file's name without .yaml, .yml, .conf, .config, .kubeconfig, .json. */
export type DirectoryChange =
  | {
      readonly type: 'added' | 'changed';
      readonly name: string;
      readonly file: string;
      readonly access: KubeconfigAccess;
    }
  | { readonly type: 'removed'; readonly name: string; readonly file: string }
  /** The file is there and cannot be used; a cluster that ran from its former content runs on until `changed` or `removed`. */
  | { readonly type: 'invalid'; readonly name: string; readonly file: string; readonly message: string }
  /** The file is no cluster: its name can be no name of one, or it is no kubeconfig and is not named like one. */
  | { readonly type: 'left-out'; readonly file: string; readonly message: string };

interface ScanDeps {
  readonly options: KubeconfigOptions;
  readonly trusted: boolean;
  readonly log: Log;
  /** Files that are read; default 5,000. */
  readonly most?: number;
  /** True once nobody waits for the look any more. */
  readonly isEnded?: () => boolean;
}

/** A directory with more files than this is none of kubeconfigs. */
const usualFiles = 5_000;

/** Bytes: the kubeconfig of one cluster takes some 10 KB. */
const largestFile = 1_000_000;

/** Marks of its YAML: that of one cluster has some 80, and to read so many takes 0.1 s of the thread of all clusters. */
const mostMarks = 20_000;

/** A file that took longer (ms) has as long a rest behind it, but none longer than `longestRest`. */
const negligible = 20;
const longestRest = 1_000;

const extension = /\.(?:ya?ml|conf|config|kubeconfig|json)$/;

/** Makes the look: what has changed in the folder since the look before. */
export function createScan(
  { options, trusted, log, most = usualFiles, isEnded = () => false }: ScanDeps,
  folder: string,
  on: (change: DirectoryChange) => void,
): () => Promise<void> {
  const known = new Map<string, { readonly digest: string; readonly name: string | null; readonly usable: boolean }>();
  const within: KubeconfigOptions = {
    ...options,
    largest: largestFile,
    marks: mostMarks,
    ...(trusted ? {} : { filesWithin: folder }),
  };
  let trouble: string | null = null;

  async function filesIn(): Promise<readonly string[] | null> {
    const listed = await filesOf(folder, most, (file) => known.get(file)?.usable === true);
    if (listed.trouble !== null && listed.trouble !== trouble)
      log.warn({ directory: folder, message: listed.trouble }, 'a directory of kubeconfigs is not read whole');
    trouble = listed.trouble;
    return listed.files;
  }

  async function readOne(file: string): Promise<void> {
    const read = await readBoundedFile(join(folder, file), {
      most: largestFile,
      within: within.filesWithin ?? null,
    });
    // Gone between the listing and the reading: the next look removes it.
    if (read.type === 'unreadable' && read.code === 'missing') return;
    const digest = digestOf(read.type === 'ok' ? read.text : read.why);
    const before = known.get(file);
    if (digest === before?.digest) return;
    // One that was a cluster stays one: a file that is being written is empty for a moment.
    const name = before?.name ? named(before.name) : nameOf(file, read.type === 'ok' ? read.text : null);
    if (name.type === 'none') {
      known.set(file, { digest, name: null, usable: false });
      return on({ type: 'left-out', file, message: name.message });
    }
    const opened = await openKubeconfig([join(folder, file)], null, within);
    const wasUsable = before?.usable === true;
    known.set(file, { digest, name: name.name, usable: wasUsable || opened.type === 'ok' });
    if (opened.type === 'invalid') on({ type: 'invalid', name: name.name, file, message: opened.message });
    else on({ type: wasUsable ? 'changed' : 'added', name: name.name, file, access: opened.access });
  }

  return async () => {
    const files = await filesIn();
    // A directory that cannot be read for a moment removes nothing.
    if (files === null) return;
    const there = new Set(files);
    for (const [file, { name }] of [...known]) {
      if (there.has(file)) continue;
      known.delete(file);
      if (name !== null) on({ type: 'removed', name, file });
    }
    for (const file of files) {
      if (isEnded()) return;
      const from = performance.now();
      await readOne(file);
      await rest(performance.now() - from);
    }
  };
}

/** Whoever writes files without end takes half of the thread at most. */
function rest(ms: number): Promise<void> | null {
  return ms <= negligible ? null : new Promise((resolve) => void setTimeout(resolve, Math.min(ms, longestRest)));
}

function digestOf(content: string): string {
  return createHash('sha256').update(content).digest('base64');
}

/**
 * The files that may be kubeconfigs, in the order of their names; null where the folder cannot be read. Of too many those come first that are
 * clusters already: what is put beside them pushes none out.
 */
async function filesOf(
  folder: string,
  most: number,
  isCluster: (file: string) => boolean,
): Promise<{ readonly files: readonly string[] | null; readonly trouble: string | null }> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const files = entries.filter((entry) => !entry.isDirectory() && isVisible(entry.name)).map(({ name }) => name);
    const trouble =
      files.length > most ? `it holds ${files.length} files: ${most} are read, those first that are clusters` : null;
    const sorted = files.toSorted();
    if (trouble === null) return { files: sorted, trouble };
    const [clusters, others] = [sorted.filter(isCluster), sorted.filter((file) => !isCluster(file))];
    return { files: [...clusters, ...others].slice(0, most), trouble };
  } catch (error) {
    return { files: null, trouble: saying(error) };
  }
}

/** Left out: hidden files, among them the ..data of a mounted Secret, what an editor leaves behind, and what kubeconfigs name. */
function isVisible(name: string): boolean {
  return !name.startsWith('.') && !name.endsWith('~') && !/\.(?:swp|tmp|bak|crt|pem|key|token)$/.test(name);
}

type FileName = { readonly type: 'name'; readonly name: string } | { readonly type: 'none'; readonly message: string };

function named(name: string): FileName {
  return { type: 'name', name };
}

/** The cluster's name by that of its file. One without a usual ending is a cluster where it reads like a kubeconfig. */
function nameOf(file: string, content: string | null): FileName {
  if (!extension.test(file) && !isLikeKubeconfig(content)) return { type: 'none', message: 'it is no kubeconfig' };
  const name = clusterName.safeParse(file.replace(extension, ''));
  if (name.success) return named(name.data);
  return { type: 'none', message: `a cluster's name ${name.error.issues[0]?.message ?? 'is another'}` };
}

function isLikeKubeconfig(content: string | null): boolean {
  const yaml = content === null ? null : readYaml(content, mostMarks);
  return yaml?.type === 'ok' && (Array.isArray(at(yaml.content, 'contexts')) || at(yaml.content, 'kind') === 'Config');
}
