import { foreignReason } from '#lib/foreign-words.ts';
import type { ObjectReader } from './objects.ts';

/** Tags that are told of one commit, and read of a repository. */
const mostOfCommit = 16;
const mostTags = 100_000;

/** Names of tags by the commit that they name. Of very many the newest versions are read. */
export async function readTags(objects: ObjectReader): Promise<ReadonlyMap<string, readonly string[]>> {
  const format = '--format=%(objectname) %(*objectname) %(refname:lstrip=2)';
  const sorted = ['--sort=-version:refname', `--count=${mostTags}`];
  const output = await objects.run(['for-each-ref', ...sorted, format, 'refs/tags/']);
  const tags = new Map<string, string[]>();
  for (const line of output.toString('utf8').split('\n')) {
    const [, object, peeled, name] = /^([0-9a-f]{40,64}) ([0-9a-f]{0,64}) (.+)$/.exec(line) ?? [];
    if (object === undefined || name === undefined) continue;
    const commit = peeled === undefined || peeled === '' ? object : peeled;
    const known = tags.get(commit);
    if (known === undefined) tags.set(commit, [foreignReason(name)]);
    else if (known.length < mostOfCommit) known.push(foreignReason(name));
  }
  return tags;
}
