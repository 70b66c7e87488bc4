import { expect, it } from 'vitest';
import { countReport, failedChapters, failedFiles, failedTests, withSecondRun } from './test-report.mjs';

const test = (fullName, status) => ({ fullName, title: fullName, status });

const report = {
  testResults: [
    { name: '/a.test.ts', status: 'passed', assertionResults: [test('a1', 'passed'), test('a2', 'skipped')] },
    { name: '/b.test.ts', status: 'failed', assertionResults: [test('b1', 'passed'), test('b2', 'failed')] },
    { name: '/c.test.ts', status: 'failed', assertionResults: [] },
  ],
};

it('counts tests, and a file that could not be loaded as one failure', () => {
  expect(countReport(report)).toEqual({ passed: 2, failed: 2 });
  expect(countReport(null)).toEqual({ passed: 0, failed: 0 });
});

it('names the files to run again', () => {
  expect(failedFiles(report)).toEqual(['/b.test.ts', '/c.test.ts']);
});

it('names each test that failed with its file, and a file that could not be loaded', () => {
  expect(failedTests(report)).toEqual([
    { file: '/b.test.ts', name: 'b2' },
    { file: '/c.test.ts', name: null },
  ]);
  expect(failedTests(null)).toEqual([]);
});

it('names the chapters of the book to play again, each once, and of no other file', () => {
  const name = '/clone/test/real/real.test.ts';
  const assertionResults = [
    test('fights: two have one field', 'failed'),
    test('fights: one lets go: it is over', 'failed'),
    test('hands: an edit', 'passed'),
  ];
  expect(failedChapters({ testResults: [{ name, status: 'failed', assertionResults }] })).toEqual(['fights']);
  expect(failedChapters(report)).toEqual([]);
  expect(failedChapters(null)).toEqual([]);
});

it('puts two runs together: the second result of a test counts, and what did not run again keeps its first', () => {
  const second = {
    testResults: [
      { name: '/b.test.ts', status: 'passed', assertionResults: [test('b2', 'passed')] },
      { name: '/c.test.ts', status: 'passed', assertionResults: [test('c1', 'passed')] },
    ],
  };
  expect(countReport(withSecondRun(report, second))).toEqual({ passed: 4, failed: 0 });
});

it('puts two runs together: what failed and did not run again stays failed, as does what could not be loaded again', () => {
  const second = { testResults: [{ name: '/b.test.ts', status: 'failed', assertionResults: [] }] };
  expect(countReport(withSecondRun(report, second))).toEqual({ passed: 1, failed: 2 });
  expect(countReport(withSecondRun(report, null))).toEqual({ passed: 2, failed: 2 });
  const other = { testResults: [{ name: '/b.test.ts', status: 'passed', assertionResults: [test('b1', 'passed')] }] };
  expect(countReport(withSecondRun(report, other))).toEqual({ passed: 2, failed: 2 });
});
