import { setImmediate } from 'node:timers/promises';
import { foreignReason } from '#lib/foreign-words.ts';
import type { ObjectReader } from './objects.ts';
import { ownText } from './own-text.ts';

/** Tags that are told of one commit, and read of a repository. */
const mostOfCommit = 16;
const mostTags = 100_000;
/** Of those that are read before others get their turn. */
const slice = 2_000;

/** Tags of a repository. */
export interface Tags {
  readonly byCommit: ReadonlyMap<string, readonly string[]>;
  /** Memory that they take, in bytes and about. */
  readonly weight: number;
}

/** None at all. */
export const noTags: Tags = { byCommit: new Map(), weight: 0 };

/** Names of tags by the commit that they name. Of very many the newest versions are read. */
export async function readTags(objects: ObjectReader): Promise<Tags> {
  const format = '--format=%(objectname) %(*objectname) %(refname:lstrip=2)';
  const sorted = ['--sort=-version:refname', `--count=${mostTags}`];
  const output = await objects.run(['for-each-ref', ...sorted, format, 'refs/tags/']);
  const tags = new Map<string, string[]>();
  let weight = 0;
  for (const [number, line] of output.toString('utf8').split('\n').entries()) {
    if (number % slice === slice - 1) await setImmediate();
    const [, object, peeled, name] = /^([0-9a-f]{40,64}) ([0-9a-f]{0,64}) (.+)$/.exec(line) ?? [];
    if (object === undefined || name === undefined) continue;
    const commit = peeled === undefined || peeled === '' ? object : peeled;
    const known = tags.get(commit);
    if (known !== undefined && known.length >= mostOfCommit) continue;
    const word = ownText(foreignReason(name));
    weight += 200 + word.length * 2;
    if (known === undefined) tags.set(ownText(commit), [word]);
    else known.push(word);
  }
  return { byCommit: tags, weight };
}
