// Times of the API are whole seconds: who compares them with a time of our own does so by lib/domain/api-time.ts.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const field = String.raw`(?:\w+\??\.)*(?:createdAt|deletedAt|lastTransitionTime|lastWriteAt|passes\.last|specEditedBy\.at)\b`;
const comparison = new RegExp(
  String.raw`${field}(?: \?\? \d+\))? [<>]=? (?!null)|(?<!=) [<>]=? \(?${field}|Math\.(?:min|max)\([^;]*\b(?:createdAt|deletedAt|lastTransitionTime)\b`,
);

/** Lines that may: graces many times longer than a second, and times of the API among themselves. */
const allowed = [
  'firstSeenAt < latest.createdAt + birthSeenWithin',
  "latest.word.said === 'good' && busySince === null && since !== null && (latest.lastWriteAt ?? 0) >= since",
];

function found(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => comparison.test(line) && !/^(?:\/\/|\*|\/\*)/.test(line))
    .filter((line) => !allowed.some((one) => line.includes(one)));
}

it.each([
  'if ((life.last ?? 0) < awakeSince && observation.createdAt > lost) return;',
  'const at = Math.min(latest.createdAt, now);',
  'return now >= deletedAt;',
  'return (latest.lastWriteAt ?? 0) >= since;',
  'return next.passes.last > track.lastPassAt;',
])('finds %s', (line) => {
  expect(found(line)).toHaveLength(1);
});

it('are compared nowhere else', () => {
  const files = ['lib/domain/**/*.ts', 'server/collector/**/*.ts'].flatMap((pattern) =>
    globSync(pattern, { cwd: root }),
  );
  const own = files.filter((file) => !/\.test\.ts$|\/testing\/|domain\/api-time\.ts$/.test(file));
  expect(own.length).toBeGreaterThan(150);
  expect(
    own.flatMap((file) => found(readFileSync(join(root, file), 'utf8')).map((line) => `${file}: ${line}`)),
  ).toEqual([]);
});
