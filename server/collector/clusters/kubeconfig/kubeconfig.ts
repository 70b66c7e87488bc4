// The door of this folder: the ways into clusters that kubeconfigs name.
export { openKubeconfig } from './open-kubeconfig.ts';
export { type DirectoryChange, type KubeconfigDirectory, startKubeconfigDirectory } from './kubeconfig-directory.ts';
