// What `npm test`, `npm run verify` and `npm run test:real` do, and how their results are counted.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ensureBuilt } from './prepare/build.mjs';
import { say } from './prepare/say.mjs';
import { runTool } from './process/child.mjs';
import { countReport, failedChapters, failedFiles, failedTests, withSecondRun } from './test-report.mjs';

const staticChecks = [
  ['Format (oxfmt)', ['node_modules/oxfmt/bin/oxfmt', '--check']],
  ['Lint (oxlint)', ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings']],
  ['Route types (next typegen)', ['node_modules/next/dist/bin/next', 'typegen']],
  ['Types (tsc)', ['node_modules/typescript/bin/tsc', '-p', '.', '--noEmit']],
  ['Paths named in the documentation', ['scripts/check-docs.mjs']],
  ['Dead code (knip)', ['node_modules/knip/bin/knip.js']],
];

const verifySuites = ['unit', 'ui'];
const testSuites = ['unit', 'ui', 'measuring', 'integration'];

/** Static checks, unit and component tests; nothing that starts a server. */
export async function runVerify(root, node) {
  const tally = newTally();
  await runStatic(root, node, tally);
  for (const suite of verifySuites) await runSuite(root, node, suite, [], tally);
  return conclude(tally);
}

/** Everything that needs neither a real cluster nor the network. */
export async function runTests(root, node, args) {
  const tally = newTally();
  await runStatic(root, node, tally);
  for (const suite of testSuites) await runSuite(root, node, suite, args, tally);
  const built = await check(tally, 'Build', () => ensureBuilt(root, node));
  if (built) await runSuite(root, node, 'e2e', args, tally);
  else tally.broken.push('e2e was not run: the build failed');
  return conclude(tally);
}

/** The referee: real kube-apiserver, Flux, Crossplane and Prometheus. Names what could not be built, and why. */
export async function runReal(root, node, args) {
  const tally = newTally();
  const refusals = join(root, '.plumbline', 'test-real.json');
  rmSync(refusals, { force: true });
  if (!(await check(tally, 'Build', () => ensureBuilt(root, node)))) return conclude(tally);
  await runSuite(root, node, 'real', args, tally);
  for (const refused of readRefusals(refusals)) {
    process.stdout.write(`Not run: ${refused.name} (${refused.reason})\n`);
    // A person may be without a network. Where every change is checked, what was not played is not shown to work, but for what no machine of its kind may do.
    if (process.env.CI && !refused.byMachine) fail(tally, `${refused.name} was not to be had`);
  }
  return conclude(tally);
}

/** Programs that test/real says it could not build: [{ name, reason, byMachine }]. */
export function readRefusals(path) {
  const list = readJson(path)?.refused;
  if (!Array.isArray(list)) return [];
  return list.map((entry) => {
    if (typeof entry === 'string') return { name: entry, reason: 'a registry refused', byMachine: false };
    return { name: entry.name, reason: entry.reason ?? 'a registry refused', byMachine: entry.byMachine === true };
  });
}

function newTally() {
  return { passed: 0, failed: 0, broken: [] };
}

async function runStatic(root, node, tally) {
  for (const [title, args] of staticChecks)
    await check(tally, title, () => runTool(node, args, { cwd: root, env: quiet }));
}

const quiet = { NEXT_TELEMETRY_DISABLED: '1' };

async function check(tally, title, task) {
  say(title);
  const started = Date.now();
  const code = await task();
  say(`${title}: ${code === 0 ? 'passed' : 'FAILED'} in ${seconds(started)}`);
  if (code === 0) {
    tally.passed += 1;
    return true;
  }
  fail(tally, title);
  return false;
}

function fail(tally, title) {
  tally.failed += 1;
  tally.broken.push(title);
}

/** Suites of real processes on a clock that is shared with others: what fails is run once more, and said so. */
const processSuites = new Set(['measuring', 'integration', 'e2e', 'real']);

async function runSuite(root, node, suite, args, tally) {
  const title = `Tests: ${suite}`;
  say(title);
  const started = Date.now();
  const first = await runVitest(root, node, suite, args);
  const files = processSuites.has(suite) ? failedFiles(first.report) : [];
  const last = files.length === 0 ? first : await runAgain(root, node, suite, { ...first, files }, title);
  const { counted } = last;
  tally.passed += counted.passed;
  tally.failed += counted.failed;
  if (counted.failed > 0) tally.broken.push(title, ...namesOfFailed(root, title, last.report));
  say(`${title}: ${counted.passed} passed, ${counted.failed} failed in ${seconds(started)}`);
}

/** Nobody reads an hour of output for the one name in it: the last lines give it, of the first few. */
const namedAtMost = 20;

function namesOfFailed(root, title, report) {
  const failed = failedTests(report);
  const named = failed.slice(0, namedAtMost).map(({ file, name }) => {
    const path = relative(root, file);
    return name === null ? `${title}: ${path} could not be loaded` : `${title}: ${path}: ${name}`;
  });
  const more = failed.length - named.length;
  return more > 0 ? [...named, `${title}: ${more} more`] : named;
}

/** Runs the files again in which something failed; of the book of situations, which takes half an hour, only those chapters. */
async function runAgain(root, node, suite, { report, counted, files }, title) {
  const chapters = failedChapters(report);
  const named = [...files.map((file) => relative(root, file)), ...chapters.map((chapter) => `chapter ${chapter}`)];
  say(`${title}: ${counted.failed} failed; running again: ${named.join(', ')}`);
  const only = chapters.length === 0 ? {} : { PLUMBLINE_REAL_ONLY: chapters.join(',') };
  const second = await runVitest(root, node, suite, files, only);
  const both = withSecondRun(report, second.report);
  const count = countReport(both);
  return { report: both, counted: { ...count, failed: Math.max(count.failed, second.counted.failed) } };
}

async function runVitest(root, node, suite, args, env = {}) {
  const path = join(root, '.plumbline', 'tests', `${suite}.json`);
  mkdirSync(join(root, '.plumbline', 'tests'), { recursive: true });
  rmSync(path, { force: true });
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', suite];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${path}`];
  const code = await runTool(node, [...vitest, ...reporters, ...args], { cwd: root, env: { CI: '1', ...env } });
  const report = existsSync(path) ? readJson(path) : null;
  const counted = countReport(report);
  // A run that failed without a failed test (it did not load, an error was left unhandled) still counts.
  if (code !== 0 && counted.failed === 0) counted.failed = 1;
  return { report, counted };
}

function conclude(tally) {
  for (const title of tally.broken) process.stdout.write(`Failed: ${title}\n`);
  process.stdout.write(`${tally.passed} passed, ${tally.failed} failed\n`);
  return tally.failed === 0 ? 0 : 1;
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

function seconds(started) {
  return `${((Date.now() - started) / 1000).toFixed(1)} s`;
}
