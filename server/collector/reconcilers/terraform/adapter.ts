import type { Adapter } from '../adapter.ts';
import { observeTerraform } from './terraform.ts';

/** tofu-controller. It is found by discovery; no cluster is expected to have it. */
export const terraform: Adapter = {
  reconciler: 'terraform',
  handles: (kind) => kind.group === 'infra.contrib.fluxcd.io' && kind.kind === 'Terraform',
  observe: observeTerraform,
};
