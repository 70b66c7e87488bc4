import { describe, expect, it } from 'vitest';
import { inventoryId, parseInventoryId } from './inventory.ts';

describe('inventory ids (cli-utils pkg/object/objmetadata.go)', () => {
  it.each([
    ['apps_base__ConfigMap', { namespace: 'apps', name: 'base', group: '', kind: 'ConfigMap' }],
    ['_apps__Namespace', { namespace: '', name: 'apps', group: '', kind: 'Namespace' }],
    ['apps_web_apps_Deployment', { namespace: 'apps', name: 'web', group: 'apps', kind: 'Deployment' }],
    [
      '_system__controller_rbac.authorization.k8s.io_ClusterRole',
      { namespace: '', name: 'system:controller', group: 'rbac.authorization.k8s.io', kind: 'ClusterRole' },
    ],
    [
      'kube-system_system__leader__x_rbac.authorization.k8s.io_Role',
      { namespace: 'kube-system', name: 'system:leader:x', group: 'rbac.authorization.k8s.io', kind: 'Role' },
    ],
  ])('%s', (id, item) => {
    expect(parseInventoryId(id)).toEqual(item);
    expect(inventoryId(item)).toBe(id);
  });

  it.each(['', 'x', 'a_b', 'a_b_c', '___', 'ns__group_Kind'])('%j is none', (id) => {
    expect(parseInventoryId(id)).toBeNull();
  });
});
