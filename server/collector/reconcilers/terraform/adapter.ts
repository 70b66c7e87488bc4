import { kindsOf, type Adapter } from '../adapter.ts';
import { undoneDrift } from '../undone-drift.ts';
import { observeTerraform } from './terraform.ts';

/** tofu-controller. It is found by discovery; no cluster is expected to have it. */
export const terraform: Adapter = {
  reconciler: 'terraform',
  kinds: kindsOf('infra.contrib.fluxcd.io', { terraforms: 'Terraform' }),
  // cmd/manager/main.go: LeaderElectionID.
  controllers: [{ name: 'tofu-controller', namespace: 'flux-system', lease: '1953de50.contrib.fluxcd.io' }],
  observe: observeTerraform,
  // Events of drift carry the raw plan: they are not read.
  corrections: (memory, _event, observation, now) => undoneDrift(memory, observation, now),
};
