import { clusterPath, listPath, objectPath, reportsPath } from '#lib/api/paths.ts';
import type { ClustersScope, EmbedScope } from '#lib/domain/matrix/embed-scope.ts';

/** The page of Plumbline that shows more of a scope, a path of this server. */
export function scopePage(scope: EmbedScope): string {
  switch (scope.type) {
    case 'fleet':
      return '/';
    case 'label':
      return `/?${new URLSearchParams({ label: `${scope.key}=${scope.value}` }).toString()}`;
    case 'cluster':
      return clusterPath(scope.cluster);
    case 'column':
      return listPath({ q: scope.column.slice(scope.column.lastIndexOf('/') + 1) });
    case 'object':
      return objectPath(scope.ref);
    case 'figure':
      return reportsPath({ period: scope.period, ...reportScope(scope.of) });
  }
}

/** Which clusters a figure speaks of, as the query of a report names them. */
export function reportScope(scope: ClustersScope): { readonly cluster?: string; readonly label?: string } {
  switch (scope.type) {
    case 'fleet':
      return {};
    case 'label':
      return { label: `${scope.key}=${scope.value}` };
    case 'cluster':
      return { cluster: scope.cluster };
  }
}
