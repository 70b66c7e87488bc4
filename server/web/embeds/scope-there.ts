import type { EmbedScope } from '#lib/domain/matrix/embed-scope.ts';
import type { FleetCache } from '../cache/fleet-cache.ts';
import type { ColumnParts } from './column-parts.ts';

/** Sources of what is there. */
export interface ThereSource {
  readonly fleetCache: Pick<FleetCache, 'clusterCache' | 'clusterCaches' | 'object'>;
  readonly columns: ColumnParts;
}

/** True for a scope of what is there now; a figure is there where its clusters are. */
export function isThere(scope: EmbedScope, source: ThereSource): boolean {
  const { fleetCache, columns } = source;
  switch (scope.type) {
    case 'fleet':
      return true;
    case 'label':
      for (const { record } of fleetCache.clusterCaches()) if (record?.labels[scope.key] === scope.value) return true;
      return false;
    case 'cluster':
      return fleetCache.clusterCache(scope.cluster) !== null;
    case 'column':
      return columns.of(scope.column).parts.length > 0;
    case 'object':
      return fleetCache.object(scope.ref) !== null;
    case 'figure':
      return isThere(scope.of, source);
  }
}
