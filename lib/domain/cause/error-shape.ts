import type { ObjectRef } from '../observation/ref.ts';

/** Of a longer message only so much is compared, in UTF-16 units. */
const longest = 600;
const quoted = /"[^"\n]*"|'[^'\n]*'|`[^`\n]*`/g;
const apart = /[\s()[\]{}<>,;=|!?"'`]+/;
/** Placeholder for what two failures of one cause may differ in. */
const something = '*';

/**
 * A message without what differs from object to object: what is quoted, paths, addresses, hashes, versions and numbers, compound names,
 * and the names of the object itself. Equal for two failures that say the same of different things; '' for no message. Linear in the
 * length, of which no more than the first 600 characters count.
 */
export function errorShape(message: string, { cluster, namespace, name }: ObjectRef): string {
  const own: ReadonlySet<string> = new Set([cluster, namespace, name]);
  const shape: string[] = [];
  for (const word of message.slice(0, longest).replace(quoted, ` ${something} `).split(apart)) {
    const plain = word.replace(/[.:]+$/, '');
    if (plain === '') continue;
    const part = own.has(plain) || isName(plain) ? something : plain.toLowerCase();
    if (part !== something || shape.at(-1) !== something) shape.push(part);
  }
  return shape.join(' ');
}

/** True if a word is more than letters: a path, a host, a hash, a number, a name such as checkout-api. */
function isName(word: string): boolean {
  return !/^\p{L}+$/u.test(word);
}
