import { hash } from 'node:crypto';
import type { Observation } from '#lib/domain/observation/observation.ts';
import { declaredKind } from '#lib/domain/verdict/only-declared.ts';
import { redact, redactUrl } from '#lib/domain/observation/redact.ts';
import { withoutEnd } from '#lib/text/without-end.ts';
import type { DeclaredStack } from '#server/config/declared-stack.ts';
import type { WatchedKind } from '../../clusters/cluster-event.ts';
import { envelope } from '../../reconcilers/envelope.ts';
import { cleanPath } from '../../reconcilers/flux/shared-fields.ts';

/** Declared stacks as a kind that is watched, though no API server knows it. */
export const watchedStacks: WatchedKind = {
  ...declaredKind,
  version: '',
  resource: 'stacks',
  namespaced: false,
  categories: [],
};

const byItself: Readonly<Record<DeclaredStack['tool'], string>> = {
  terraform: 'Terraform runs only when somebody runs it',
  opentofu: 'OpenTofu runs only when somebody runs it',
  cdk: 'the AWS CDK deploys only when somebody runs it',
  pulumi: 'Pulumi without its operator runs only when somebody runs it',
  ansible: 'Ansible runs only when somebody runs it',
  other: 'nothing on a cluster reconciles it',
};

/** A declared stack as an observation in which nothing is said, taken up at `at` (ms). What the file says anew is another version. */
export function declaredObservation(stack: DeclaredStack, at: number): Observation {
  const { name, row, repository, reason } = stack;
  const why = byItself[stack.tool] + (reason === null ? '' : ` (${redact(withoutEnd(reason, '. \t\r\n'), 300)})`);
  const base = envelope(
    { metadata: { name, uid: `declared/${name}`, resourceVersion: hash('sha1', JSON.stringify(stack)) } },
    { cluster: row, kind: watchedStacks, receivedAt: at, before: null },
    'none',
    'declared',
  );
  return {
    ...base,
    summary: { said: 'unreported', why },
    drift: { drift: 'not-measured', why: 'no loop compares it' },
    path: stack.path === null ? null : cleanPath(stack.path),
    target:
      repository === null
        ? null
        : { url: redactUrl(repository), reference: 'as plumbline.yaml names it', floating: false },
  };
}
