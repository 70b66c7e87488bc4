import { LRUCache } from 'lru-cache';
import type { ObjectReader } from '../objects.ts';
import { type IgnoreRule, readSourceIgnore } from './source-ignore.ts';

/** A larger file is not read (bytes). */
const largest = 65_536;
/** Bytes and files that are read for one question; of more nothing is known. */
const mostRead = 1024 * 1024;
const mostFiles = 500;
/** Bytes of files of which the rules are kept, of all repositories: each byte may become a rule of a hundred. */
const mostKept = 512 * 1024;

/** The rules of one file; null where it cannot be read. */
export type FileRules = readonly IgnoreRule[] | null;

/** Rules of .sourceignore files by their blob. */
export interface RuleBook {
  /** Reads those that are not known yet. One that is not among the answers was not read. Rejects with `Unreadable`. */
  read(blobs: ReadonlySet<string>): Promise<ReadonlyMap<string, FileRules>>;
}

interface Kept {
  readonly rules: FileRules;
  readonly bytes: number;
}

/** Rules by their blob: the same in every repository. */
const kept = new LRUCache<string, Kept>({ maxSize: mostKept, sizeCalculation: ({ bytes }) => bytes });

/** A book that keeps what it has read. */
export function createRuleBook(objects: ObjectReader): RuleBook {
  return {
    async read(blobs) {
      const found = new Map<string, FileRules>();
      const missing: string[] = [];
      for (const blob of blobs) {
        const known = kept.get(blob);
        if (known !== undefined) found.set(blob, known.rules);
        else if (missing.length < mostFiles) missing.push(blob);
      }
      if (missing.length === 0) return found;
      const contents = await objects.contents(missing, largest, mostRead);
      for (const [blob, bytes] of contents) {
        const rules = readSourceIgnore(bytes.toString('latin1'));
        kept.set(blob, { rules, bytes: 64 + bytes.length });
        found.set(blob, rules);
      }
      return found;
    },
  };
}
