import type { Ledger } from '../truth.ts';

/** One line of `stacks` in plumbline.yaml, as the demo writes it. */
interface DeclaredStack {
  readonly name: string;
  readonly tool: string;
  readonly reason: string;
  readonly cluster?: string;
  readonly labels?: { readonly [key: string]: string };
  readonly repository?: string;
  readonly path?: string;
}

const unattended = 'not on a cluster';

/** What the demo's plumbline.yaml declares: one stack in the row of a cluster, one in a row of its own. */
export function declaredStacks(cluster: string, repository: string): readonly DeclaredStack[] {
  return [
    {
      name: 'legacy-vpc',
      tool: 'terraform',
      cluster,
      repository,
      path: 'terraform/legacy-vpc',
      reason: 'applied from the release pipeline, state in a bucket',
    },
    {
      name: 'corporate-dns',
      tool: 'ansible',
      labels: { environment: 'production' },
      reason: 'a playbook that the network team runs by hand',
    },
  ];
}

/** Nobody can ever say anything of them. */
export function registerStacks(ledger: Ledger, stacks: readonly DeclaredStack[], at: number): void {
  for (const { name, cluster } of stacks) {
    const ref = { cluster: cluster ?? unattended, group: 'declared', kind: 'Stack', namespace: '', name };
    ledger.register(ref, { verdict: 'unobserved', from: at, within: 20_000 });
  }
}
