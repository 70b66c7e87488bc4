import { type Document, isMap, isNode, isScalar, isSeq, type LineCounter, type Node } from 'yaml';

/** A position in a file, counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Finds positions of a parsed YAML document by the path of keys and indexes that a validator names. */
export type YamlPositions = ReturnType<typeof yamlPositions>;

/** Reads positions from `document`, which was parsed with `lines` as its line counter. */
export function yamlPositions(document: Document.Parsed, lines: LineCounter) {
  function positionAt(offset: number | undefined): Position | null {
    if (offset === undefined) return null;
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  }

  function key(path: readonly PropertyKey[]): Position | null {
    const parent = nearest(document.contents, path.slice(0, -1));
    const name = path.at(-1);
    if (isMap(parent)) {
      const pair = parent.items.find((item) => isScalar(item.key) && item.key.value === name);
      if (pair && isNode(pair.key)) return positionAt(pair.key.range?.[0]);
    }
    return positionAt(parent?.range?.[0]);
  }

  return {
    /** Of the key itself, the last part of `path`. */
    key /** Of the value at `path`, or of the nearest thing above it that was written. */,
    value: (path: readonly PropertyKey[]): Position | null => positionAt(nearest(document.contents, path)?.range?.[0]),
  };
}

/** The node at a path, or the deepest one on the way to it. */
function nearest(root: Node | null, path: readonly PropertyKey[]): Node | null {
  let current = root;
  for (const part of path) {
    const next: unknown = isMap(current) || isSeq(current) ? current.get(part, true) : undefined;
    if (!isNode(next)) break;
    current = next;
  }
  return current;
}
