import { expect, it } from 'vitest';
import { countReport, failedFiles } from './checks.mjs';

const report = {
  testResults: [
    { name: '/a.test.ts', status: 'passed', assertionResults: [{ status: 'passed' }, { status: 'skipped' }] },
    { name: '/b.test.ts', status: 'failed', assertionResults: [{ status: 'passed' }, { status: 'failed' }] },
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
