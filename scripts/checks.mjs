// What `npm test`, `npm run verify` and `npm run test:real` do, and how their results are counted.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ensureBuilt } from './prepare/build.mjs';
import { say } from './prepare/say.mjs';
import { runTool } from './process/child.mjs';

const staticChecks = [
  ['Format (oxfmt)', ['node_modules/oxfmt/bin/oxfmt', '--check']],
  ['Lint (oxlint)', ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings']],
  ['Route types (next typegen)', ['node_modules/next/dist/bin/next', 'typegen']],
  ['Types (tsc)', ['node_modules/typescript/bin/tsc', '-p', '.', '--noEmit']],
  ['Paths named in the documentation', ['scripts/check-docs.mjs']],
  ['Dead code (knip)', ['node_modules/knip/bin/knip.js']],
];

const verifySuites = ['unit', 'ui'];
const testSuites = ['unit', 'ui', 'integration'];

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
    // A person may be without a network. Where every change is checked, what was not played is not shown to work.
    if (process.env.CI) fail(tally, `${refused.name} was not to be had`);
  }
  return conclude(tally);
}

/** Programs that test/real says it could not build: [{ name, reason }]. */
export function readRefusals(path) {
  const list = readJson(path)?.refused;
  if (!Array.isArray(list)) return [];
  return list.map((entry) => {
    if (typeof entry === 'string') return { name: entry, reason: 'a registry refused' };
    return { name: entry.name, reason: entry.reason ?? 'a registry refused' };
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

/** Suites of real processes on a clock that is shared with others: a file that fails is run once more, and said so. */
const processSuites = new Set(['integration', 'e2e', 'real']);

async function runSuite(root, node, suite, args, tally) {
  const title = `Tests: ${suite}`;
  say(title);
  const started = Date.now();
  const first = await runVitest(root, node, suite, args);
  let counted = first.counted;
  if (counted.failed > 0 && processSuites.has(suite)) {
    const files = failedFiles(first.report);
    const again = files.length > 0 ? files : args;
    say(
      `${title}: ${counted.failed} failed; running again: ${files.map((file) => relative(root, file)).join(', ') || 'all'}`,
    );
    const second = await runVitest(root, node, suite, again);
    const kept = files.length === 0 ? [] : first.report.testResults.filter((file) => !files.includes(file.name));
    counted = {
      passed: countReport({ testResults: kept }).passed + second.counted.passed,
      failed: second.counted.failed,
    };
  }
  tally.passed += counted.passed;
  tally.failed += counted.failed;
  if (counted.failed > 0) tally.broken.push(title);
  say(`${title}: ${counted.passed} passed, ${counted.failed} failed in ${seconds(started)}`);
}

async function runVitest(root, node, suite, args) {
  const path = join(root, '.plumbline', 'tests', `${suite}.json`);
  mkdirSync(join(root, '.plumbline', 'tests'), { recursive: true });
  rmSync(path, { force: true });
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', suite];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${path}`];
  const code = await runTool(node, [...vitest, ...reporters, ...args], { cwd: root, env: { CI: '1' } });
  const report = existsSync(path) ? readJson(path) : null;
  const counted = countReport(report);
  // A run that failed without a failed test (it did not load, an error was left unhandled) still counts.
  if (code !== 0 && counted.failed === 0) counted.failed = 1;
  return { report, counted };
}

/** The files of a report in which something failed. */
export function failedFiles(report) {
  return (report?.testResults ?? [])
    .filter((file) => countReport({ testResults: [file] }).failed > 0)
    .map((file) => file.name);
}

/** Counts a report of vitest's json reporter; a file that could not be loaded is one failure. */
export function countReport(report) {
  let passed = 0;
  let failed = 0;
  for (const file of report?.testResults ?? []) {
    const tests = file.assertionResults ?? [];
    passed += tests.filter((test) => test.status === 'passed').length;
    const failures = tests.filter((test) => test.status === 'failed').length;
    failed += failures === 0 && file.status === 'failed' ? 1 : failures;
  }
  return { passed, failed };
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
