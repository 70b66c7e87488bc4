/** Names of files that say what is built: any of them makes a directory one of kustomize. */
export const kustomizationNames: readonly string[] = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];
/** Name of files that say what the artifact of a source lacks. */
export const ignoreName = '.sourceignore';
const isKustomization: ReadonlySet<string> = new Set(kustomizationNames);

/** The node of the root. */
export const root = 0;
/** The node of what has none: nothing that was read ever had its name. */
export const noNode = -1;

/** A longer path is known by its beginning: no file of that name can be checked out. */
const longestPath = 4_096;
/** Names and characters of names that are kept. */
const mostNodes = 2_000_000;
const mostCharacters = 64 * 1024 * 1024;

/** Every raw path that was ever read, as a tree of names. A path is a number. */
export interface NameTree {
  /** The node of a path, made where there is none; `noNode` where the tree is full. */
  intern(path: string): number;
  find(path: string): number;
  child(node: number, name: string): number;
  parent(node: number): number;
  path(node: number): string;
  /** Nodes right beneath one where, or beneath which, a kustomization file was ever known. */
  kustomized(node: number): Iterable<number>;
  /** The directory of the file where its name is one of a kustomization; else `noNode`. */
  kustomizes(node: number): number;
  /** Nodes of all .sourceignore files that were ever known. */
  ignoreFiles(): readonly number[];
  isFull(): boolean;
  /** Memory that it takes, in bytes and about. */
  weight(): number;
}

/** Bytes of a name, its place among others counted. */
const weightOfName = 110;

/** An empty tree. */
export function createNameTree(): NameTree {
  const names = [''];
  const parents = [noNode];
  const children: (Map<string, number> | undefined)[] = [undefined];
  const below: (Set<number> | undefined)[] = [undefined];
  const ignoreFiles: number[] = [];
  let characters = 0;

  const isFull = (): boolean => names.length >= mostNodes || characters >= mostCharacters;

  function child(node: number, name: string): number {
    return children[node]?.get(name) ?? noNode;
  }

  function made(node: number, name: string): number {
    if (isFull()) return noNode;
    const next = names.length;
    names.push(name);
    parents.push(node);
    children.push(undefined);
    below.push(undefined);
    characters += name.length;
    const known = children[node];
    if (known === undefined) children[node] = new Map([[name, next]]);
    else known.set(name, next);
    if (isKustomization.has(name)) mark(next);
    if (name === ignoreName) ignoreFiles.push(next);
    return next;
  }

  /** Its directory, and all above it, have a kustomization file beneath them. */
  function mark(file: number): void {
    let node = parents[file] ?? noNode;
    for (let above = parents[node] ?? noNode; above !== noNode; [node, above] = [above, parents[above] ?? noNode]) {
      const set = (below[above] ??= new Set());
      if (set.has(node)) return;
      set.add(node);
    }
  }

  function walk(path: string, step: (node: number, name: string) => number): number {
    let node = root;
    if (path === '') return node;
    for (const name of path.slice(0, longestPath).split('/')) {
      node = step(node, name);
      if (node === noNode) return node;
    }
    return node;
  }

  function path(node: number): string {
    const parts: string[] = [];
    for (let at = node; at > root; at = parents[at] ?? noNode) parts.push(names[at] ?? '');
    return parts.reverse().join('/');
  }

  return {
    intern: (text) => walk(text, (node, name) => children[node]?.get(name) ?? made(node, name)),
    find: (text) => walk(text, child),
    child,
    parent: (node) => parents[node] ?? noNode,
    path,
    kustomized: (node) => below[node] ?? [],
    kustomizes: (node) => (isKustomization.has(names[node] ?? '') ? (parents[node] ?? noNode) : noNode),
    ignoreFiles: () => ignoreFiles,
    isFull,
    weight: () => names.length * weightOfName + characters,
  };
}
