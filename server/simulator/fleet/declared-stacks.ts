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

/**
 * Stacks that the demo's plumbline.yaml declares: one in the row of a cluster, one in a row of its own. They are nowhere on the
 * simulated clusters, so the script has nothing to say of them.
 */
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
