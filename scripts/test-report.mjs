// Reports of vitest's json reporter: counted, read for what failed, and put together with those of a second run.

/** Counts a report; a file that could not be loaded is one failure. */
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

/** The files of a report in which something failed. */
export function failedFiles(report) {
  return (report?.testResults ?? [])
    .filter((file) => countReport({ testResults: [file] }).failed > 0)
    .map((file) => file.name);
}

/** The tests of a report that failed, each by its file and name; a file that could not be loaded by its file alone. */
export function failedTests(report) {
  return (report?.testResults ?? []).flatMap((file) => {
    const failures = (file.assertionResults ?? []).filter((test) => test.status === 'failed');
    if (failures.length > 0) return failures.map((test) => ({ file: file.name, name: test.fullName }));
    return file.status === 'failed' ? [{ file: file.name, name: null }] : [];
  });
}

/** The chapters of the book of situations in which a test failed: a test there is called "chapter: situation". */
export function failedChapters(report) {
  const titles = (report?.testResults ?? [])
    .filter((file) => file.name.endsWith('/test/real/real.test.ts'))
    .flatMap((file) => file.assertionResults ?? [])
    .filter((test) => test.status === 'failed')
    .map((test) => test.title.split(': ', 1)[0]);
  return [...new Set(titles)];
}

/** Both runs as one: of a test that ran twice the second result counts, and one that did not run again keeps its first. */
export function withSecondRun(first, second) {
  const again = new Map((second?.testResults ?? []).map((file) => [file.name, file]));
  return {
    testResults: first.testResults.map((file) => {
      const later = again.get(file.name);
      return later === undefined ? file : { ...later, assertionResults: laterResults(file, later) };
    }),
  };
}

function laterResults(file, later) {
  // A file that could not be loaded again has run no test: its first results say nothing of that.
  if (later.assertionResults.length === 0) return [];
  const results = new Map(file.assertionResults.map((test) => [test.fullName, test]));
  for (const test of later.assertionResults) results.set(test.fullName, test);
  return [...results.values()];
}
