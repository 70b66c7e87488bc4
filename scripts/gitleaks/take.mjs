import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { translate } from './translate.mjs';

const module = 'github.com/zricethezav/gitleaks/v8';
const root = path.resolve(import.meta.dirname, '../..');
const rulesFile = path.join(root, 'lib/domain/observation/redaction/gitleaks-rules.ts');
const fixturesFile = path.join(root, 'test/redaction/gitleaks.jsonl.gz');
const mostFixtures = 6;

/** Rules that are not taken, and why. Their fixtures are, so that what stands in for them is tested by them. */
const leftOut = {
  'curl-auth-header': 'headers.ts',
  'curl-auth-user': 'named-values.ts',
  'generic-api-key': 'named-values.ts',
  jwt: 'known-shapes.ts',
  'jwt-base64': 'long-run.ts',
  'kubernetes-secret-yaml': 'manifests.ts',
  'private-key': 'known-shapes.ts',
  'sidekiq-sensitive-url': 'addresses.ts',
};

/** The part of a rule that finds any text of a length behind the name of its vendor: named-values.ts does that for all names. */
const behindName = String.raw`(?:[ \t\w.-]{0,20})[\s'"]{0,3}`;

/**
 * Takes rules and fixtures of a version of gitleaks into the project: `node scripts/gitleaks/take.mjs v8.30.1`. It needs Go, and
 * asks nothing but Go's module proxy. The tests then say which fixtures are not found.
 */
function take(version) {
  const { Dir: directory } = JSON.parse(go(tmpdir(), 'mod', 'download', '-json', `${module}@${version}`));
  const copy = mkdtempSync(path.join(tmpdir(), 'gitleaks-'));
  try {
    cpSync(directory, copy, { recursive: true });
    execFileSync('chmod', ['-R', 'u+w', copy]);
    const generator = path.join(copy, 'cmd/generate/config');
    copyFileSync(path.join(import.meta.dirname, 'validate.go'), path.join(generator, 'utils/validate.go'));
    go(generator, 'run', '.', path.join(copy, 'gitleaks.toml'));
    const rules = readFileSync(path.join(copy, 'rules.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const sorted = rules.toSorted((a, b) => (a.id < b.id ? -1 : 1)).filter(({ path: isOfFile }) => !isOfFile);
    writeRules(version, sorted, readFileSync(path.join(copy, 'LICENSE'), 'utf8'));
    writeFixtures(sorted);
  } finally {
    rmSync(copy, { recursive: true });
  }
}

function go(directory, ...args) {
  const rules = { RULES_FILE: path.join(directory, '../../../rules.jsonl'), GOFLAGS: '-mod=mod' };
  return execFileSync('go', args, { cwd: directory, encoding: 'utf8', env: { ...process.env, ...rules } });
}

function writeRules(version, rules, licence) {
  const taken = rules.filter(({ id, pattern }) => !Object.hasOwn(leftOut, id) && !pattern.includes(behindName));
  const lines = taken.map(({ id, keywords, pattern }) => {
    const { source, flags } = translate(pattern);
    return `{ id: ${JSON.stringify(id)}, words: ${JSON.stringify(keywords)}, secret: /${source}/${flags} },`;
  });
  const notice = licence
    .trimEnd()
    .split('\n')
    .map((line) => ` * ${line}`.trimEnd());
  writeFileSync(
    rulesFile,
    `/* Data of gitleaks ${version}, written by scripts/gitleaks/take.mjs: do not edit.
 *
${notice.join('\n')}
 */

/** A secret that is known by its shape. */
export interface ShapeRule {
  /** The name of the rule in gitleaks. */
  readonly id: string;
  /** A text without any of these (lower case) does not hold it. */
  readonly words: readonly string[];
  /** Matches the secret, whole or its beginning; global, linear. */
  readonly secret: RegExp;
}

/** Where the rules are from: "v8.30.1" of gitleaks. */
export const gitleaksVersion = '${version}';

/** The rules of gitleaks for secrets of one vendor's shape. */
export const gitleaksRules: readonly ShapeRule[] = [
${lines.join('\n')}
];
`,
  );
  execFileSync(path.join(root, 'node_modules/.bin/oxfmt'), [rulesFile]);
  process.stdout.write(`${taken.length} of ${rules.length} rules taken\n`);
}

/** Packed, as hosts of git refuse files in which they see secrets, which these texts look like. */
function writeFixtures(rules) {
  const lines = rules.flatMap(({ id, positives }) => {
    const usable = positives.filter(({ text, secrets }) => secrets.length > 0 && text.length <= 4096);
    const step = Math.max(1, Math.floor(usable.length / mostFixtures));
    return usable
      .filter((_, index) => index % step === 0)
      .slice(0, mostFixtures)
      .map(({ text, secrets }) => JSON.stringify({ rule: id, text, secrets: [...new Set(secrets)] }));
  });
  writeFileSync(fixturesFile, gzipSync(`${lines.join('\n')}\n`, { level: 9 }));
  process.stdout.write(`${lines.length} fixtures\n`);
}

const [version] = process.argv.slice(2);
if (!/^v\d+\.\d+\.\d+$/.test(version ?? '')) {
  process.stderr.write('Name a version of gitleaks: node scripts/gitleaks/take.mjs v8.30.1\n');
  process.exitCode = 64;
} else take(version);
