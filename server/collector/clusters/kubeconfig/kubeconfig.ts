// The door of this folder: the ways into clusters that kubeconfigs name.
export { openKubeconfig } from './open-kubeconfig.ts';
export type { KubeconfigAccess } from './kubeconfig-access.ts';
export type { DirectoryChange } from './directory-scan.ts';
export { type KubeconfigDirectory, readKubeconfigDirectory, startKubeconfigDirectory } from './kubeconfig-directory.ts';
