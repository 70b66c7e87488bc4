// Times of the API are whole seconds: who compares them with a time of our own does so by lib/domain/time/api-time.ts.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const field = String.raw`(?:\w+\??\.)*(?:createdAt|deletedAt|lastTransitionTime|lastWriteAt|lastPassAt|lastPass|passes\.last|pass\.at|(?:entry|pass|newest)\.last|awakeSince|awaitedSince|artifactSince|specEditedBy\.at)\b`;
const comparison = new RegExp(
  String.raw`${field}(?: \?\? \d+\))? [<>]=? (?!null)|(?<!=) [<>]=? \(?${field}|Math\.(?:min|max)\([^;]*\b(?:createdAt|deletedAt|lastTransitionTime|lastPassAt|awakeSince|artifactSince)\b`,
);

/** Lines that may. */
const allowed = [
  // Graces many times longer than a second.
  'firstSeenAt < latest.createdAt + birthSeenWithin',
  'lastPass > heartbeat.at + leftBehind',
  'const newer = Math.min(source.artifactSince ?? now, subject.newerSince ?? Infinity);',
  'const since = Math.max(from, track.awakeSince ?? from);',
  'mayBeSince(lastPassAt, askedAt - outOfOrder)) return Math.max(askedAt, lastPassAt) + turn',
  // Times of the API among themselves; of these `>` is sure and `<=` is not.
  "latest.summary.said === 'good' && busySince === null && since !== null && (latest.lastWriteAt ?? 0) >= since",
  'ready.lastTransitionTime - newest.last <= interval * 1.1 + 5000',
  'endedWell(entry) === !well && (entry.last ?? 0) > first',
  'known.at > pass.at || isSamePass(known, pass)',
  'pass.at > claim.at || claim.passKnown === null || pass.at > claim.passKnown',
  // The last pass of a track is dated by the first moment that it may mean, so `>=` is sure. It is never before `awakeSince` where it
  // was told after that.
  'heartbeat.at === null || lastPass <= heartbeat.at',
  'heartbeat.awaitedSince === null || lastPass >= heartbeat.awaitedSince',
  'awakeSince !== null && (pass.last ?? 0) < awakeSince',
  'noLaterThan(Math.max(track.lastPassAt ?? 0, dated), at)',
  'Math.max(remembered.lastPassAt ?? 0, passed)',
];

function found(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => comparison.test(line) && !/^(?:\/\/|\*|\/\*)/.test(line))
    .filter((line) => !allowed.some((one) => line.includes(one)));
}

it.each([
  'if ((pass.last ?? 0) < awakeSince && observation.createdAt > lost) return;',
  'const at = Math.min(latest.createdAt, now);',
  'return now >= deletedAt;',
  'return (latest.lastWriteAt ?? 0) >= since;',
  'return next.passes.last > track.lastPassAt;',
  'if ((pass.last ?? 0) < awakeSince) return;',
  'return heartbeat === null || lastPass >= heartbeat.awaitedSince;',
  'return history.some((entry) => (entry.last ?? 0) > first);',
  'return passes.some((pass) => pass.at < at);',
  'const last = Math.max(track.lastPassAt ?? 0, dated);',
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
