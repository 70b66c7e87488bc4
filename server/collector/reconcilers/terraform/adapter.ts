import { kindsOf, type Adapter } from '../adapter.ts';
import { terraformCorrections } from './corrections.ts';
import { observeTerraform } from './terraform.ts';

/** tofu-controller. It is found by discovery; no cluster is expected to have it. */
export const terraform: Adapter = {
  reconciler: 'terraform',
  kinds: kindsOf('infra.contrib.fluxcd.io', { terraforms: 'Terraform' }),
  // cmd/manager/main.go: LeaderElectionID.
  controllers: [{ name: 'tofu-controller', namespace: 'flux-system', lease: '1953de50.contrib.fluxcd.io' }],
  observe: observeTerraform,
  corrections: (memory, _event, observation, now) => terraformCorrections(memory, observation, now),
};
