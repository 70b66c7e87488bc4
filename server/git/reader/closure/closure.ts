import { foreignUrl } from '#lib/foreign-words.ts';
import type { CommitIndex, Place } from '../index/commit-index.ts';
import { fileState } from '../index/line.ts';
import { kustomizationNames, noNode, root } from '../index/name-tree.ts';
import { Unreadable } from '../objects.ts';
import { joined, pathForPeople, rawOf } from '../raw-path.ts';
import type { Kustomization } from './kustomization.ts';

/** Sources of a path as of a commit, as nodes of the tree of names. */
export interface Closure {
  /** Directories with all that is beneath them. */
  readonly whole: readonly number[];
  /** Files, those that are named and not there among them. */
  readonly files: readonly number[];
  /** Directories whose kustomization file, there or not, says what is built. */
  readonly built: readonly number[];
  /** Names for people. */
  readonly missing: readonly string[];
}

/** A closure, or the blobs of kustomization files that have to be read before it is known. */
export type FoundClosure =
  | { readonly type: 'closure'; readonly closure: Closure }
  /** `nodes`: so many were looked at. */
  | { readonly type: 'needs'; readonly blobs: ReadonlySet<string>; readonly nodes: number };

/** Directories and files of one closure: beyond it is not told. */
const mostNodes = 20_000;
const mostMissing = 50;

/** A path (raw, '' for the root) at a place, and components relative to it. */
export interface Asked {
  readonly at: Place;
  readonly path: string;
  readonly components: readonly string[];
}

/** State of the search for one closure. */
interface Search {
  readonly index: CommitIndex;
  readonly at: Place;
  readonly parsed: (blob: string) => Kustomization | undefined;
  readonly whole: Set<number>;
  readonly files: Set<number>;
  readonly built: Set<number>;
  readonly missing: Set<string>;
  readonly needs: Set<string>;
  /** Directories to be looked at. `named`: a kustomization names it, so it needs one of its own. */
  readonly open: { readonly node: number; readonly named: boolean }[];
}

/**
 * Directories and files that a path builds from (raw, '' for the root): a directory without kustomization file is everything beneath it, for
 * Flux generates one, and what the kustomization files beneath it reach; and the components, which Flux adds to its kustomization. Rejects nothing; throws `Unreadable` where it is too large.
 */
export function findClosure(
  index: CommitIndex,
  { at, path, components }: Asked,
  parsed: (blob: string) => Kustomization | undefined,
): FoundClosure {
  const search: Search = {
    index,
    at,
    parsed,
    whole: new Set(),
    files: new Set(),
    built: new Set(),
    missing: new Set(),
    needs: new Set(),
    open: [],
  };
  const node = index.names.intern(path);
  if (node === noNode) throw new Unreadable('too-many');
  if (index.names.parent(node) !== noNode && at.line.files.state(node, at.position) !== fileState.absent) {
    search.files.add(node);
  } else {
    if (at.line.directories.state(node, at.position) === 0) miss(search, pathForPeople(path));
    search.open.push({ node, named: false });
  }
  follow(search, node, { type: 'read', named: components, charts: [] });
  for (let next = search.open.pop(); next !== undefined; next = search.open.pop()) {
    visit(search, next.node, next.named);
    if (search.whole.size + search.files.size + search.built.size > mostNodes) throw new Unreadable('too-many');
  }
  const { whole, files, built, missing, needs } = search;
  if (needs.size > 0) return { type: 'needs', blobs: needs, nodes: whole.size + files.size + built.size };
  return {
    type: 'closure',
    closure: { whole: [...whole], files: [...files], built: [...built], missing: [...missing] },
  };
}

function miss({ missing }: Search, name: string): void {
  if (missing.size < mostMissing) missing.add(name);
}

function visit(search: Search, node: number, named: boolean): void {
  const { index, at, built, whole } = search;
  if (built.has(node)) return;
  built.add(node);
  const [file, ...others] = kustomizationFiles(search, node);
  if (file === undefined) {
    whole.add(node);
    if (named) miss(search, pathForPeople(joined(index.names.path(node), 'kustomization.yaml') ?? ''));
    visitBeneath(search, node);
    return;
  }
  for (const each of [file, ...others]) search.files.add(each);
  const blob = index.blob(at.line.files.state(file, at.position));
  const content: Kustomization | undefined = blob === null ? { type: 'unreadable' } : search.parsed(blob);
  if (content === undefined) search.needs.add(blob ?? '');
  else if (content.type === 'read') follow(search, node, content);
  else {
    // Nobody knows what it names.
    whole.add(node);
    miss(search, pathForPeople(index.names.path(file)));
  }
}

function kustomizationFiles({ index, at }: Search, directory: number): readonly number[] {
  return kustomizationNames
    .map((name) => index.names.child(directory, name))
    .filter((node) => node !== noNode && at.line.files.state(node, at.position) !== fileState.absent);
}

/** The generated kustomization names each directory beneath that has a kustomization file, and goes no deeper there. */
function visitBeneath(search: Search, directory: number): void {
  const { index, at, open } = search;
  // Nothing lies outside of the root.
  const nodes = directory === root ? [] : [...index.names.kustomized(directory)];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (at.line.directories.state(node, at.position) === 0) continue;
    if (kustomizationFiles(search, node).length > 0) open.push({ node, named: true });
    else for (const each of index.names.kustomized(node)) nodes.push(each);
  }
}

function follow(search: Search, directory: number, content: Kustomization & { readonly type: 'read' }): void {
  const { index, at, files, built, whole, open } = search;
  const base = index.names.path(directory);
  for (const name of content.named) {
    const path = isRemote(name) ? null : joined(base, rawOf(name));
    const node = path === null ? noNode : index.names.intern(path);
    if (node === noNode) {
      miss(search, foreignUrl(name));
      continue;
    }
    const state = at.line.files.state(node, at.position);
    if (state === fileState.absent && at.line.directories.state(node, at.position) > 0)
      open.push({ node, named: true });
    else files.add(node);
    if (files.has(node) && (state === fileState.absent || state === fileState.submodule || state === fileState.link)) {
      miss(search, foreignUrl(name));
      // It may become a directory.
      built.add(node);
    }
  }
  for (const name of content.charts) {
    const path = joined(base, rawOf(name));
    const node = path === null ? noNode : index.names.intern(path);
    if (node !== noNode) whole.add(node);
  }
}

/** An address as kustomize takes them. A path may look like one of the other forms. */
function isRemote(name: string): boolean {
  return /:\/\/|^[\w.-]+@[\w.-]+:|[?&](?:ref|version)=/.test(name);
}
