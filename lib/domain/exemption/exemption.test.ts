import { expect, it } from 'vitest';
import { exemptionKinds, exemptionSort, exemptionSorts } from './exemption.ts';

it('each kind takes one thing from the sentence', () => {
  expect(
    exemptionSorts.map((sort) => [sort, ...exemptionKinds.filter((kind) => exemptionSort(kind) === sort)].join(' ')),
  ).toMatchInlineSnapshot(`
    [
      "not-applied suspended reconcile-disabled observe-only management-restricted apply-restricted",
      "drift-stays drift-detection-disabled drift-not-undone drift-ignored rare-passes",
      "removal prune-disabled deletion-orphans deletion-deletes recreates",
      "not-in-git rendered-on-cluster external-substitution optional-substitution missing-tolerated overridden floating-reference branch-reference files-left-out remote-cluster",
      "not-proven health-not-checked readiness-redefined retries-forever timeout-exceeds-interval",
    ]
  `);
});
