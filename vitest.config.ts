import { defineConfig } from 'vitest/config';

// TZ far from UTC, so that a missing time zone fails a test instead of passing by luck.
process.env.TZ = 'Asia/Kathmandu';

/** Tests that compare how long things take: nothing else runs beside them. */
const measuring = [
  'test/integration/{bench,bench-ratios,record-ratios}.test.ts',
  'test/integration/measuring/*.test.ts',
];

/** A busy machine takes its time: what is polled for in a unit has long to come. */
const patient = { poll: { timeout: 15_000 } };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          environment: 'node',
          include: [
            '{deploy,lib,server}/**/*.test.ts',
            'scripts/**/*.test.mjs',
            'test/{architecture,pitfalls,redaction}/**/*.test.ts',
          ],
          testTimeout: 20_000,
          expect: patient,
        },
      },
      {
        oxc: { jsx: { runtime: 'automatic' } },
        test: {
          name: 'ui',
          environment: 'jsdom',
          include: ['components/**/*.test.{ts,tsx}'],
          setupFiles: ['components/testing/set-up.ts'],
          testTimeout: 20_000,
          expect: patient,
        },
      },
      {
        test: {
          name: 'integration',
          environment: 'node',
          include: ['test/{contract,integration}/**/*.test.ts'],
          exclude: measuring,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // These files wait for processes of their own most of the time.
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'measuring',
          environment: 'node',
          include: measuring,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'e2e',
          environment: 'node',
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 240_000,
          // Each file has a fleet and a browser of its own, and waits for them most of the time.
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'real',
          environment: 'node',
          include: ['test/real/**/*.test.ts'],
          testTimeout: 1_800_000,
          hookTimeout: 2_400_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
