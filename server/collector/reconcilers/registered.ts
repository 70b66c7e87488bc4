// One line a reconciler: all else that Plumbline knows of it stands in its folder.
export { argocd } from './argocd/adapter.ts';
export { crossplane } from './crossplane/adapter.ts';
export { flux } from './flux/adapter.ts';
export { helm } from './helm/adapter.ts';
export { pulumi } from './pulumi/adapter.ts';
export { terraform } from './terraform/adapter.ts';
