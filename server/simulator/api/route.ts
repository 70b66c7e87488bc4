/** Request that a path of the API stands for. */
export type Route =
  | { readonly to: 'version' }
  | { readonly to: 'health' }
  | { readonly to: 'core-versions' }
  | { readonly to: 'groups' }
  | { readonly to: 'group'; readonly group: string }
  | { readonly to: 'resources'; readonly group: string; readonly version: string }
  | ResourceRoute
  | { readonly to: 'nothing' };

/** A collection, or one object where `name` is given. */
export interface ResourceRoute {
  readonly to: 'resource';
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

function resourceRoute(group: string, version: string, parts: readonly string[]): Route {
  const [first, second, third, fourth, ...rest] = parts;
  if (first === undefined) return { to: 'resources', group, version };
  if (first === 'namespaces' && second !== undefined && third !== undefined) {
    if (rest.length > 0) return { to: 'nothing' };
    return { to: 'resource', group, version, resource: third, namespace: second, name: fourth ?? '' };
  }
  if (third !== undefined) return { to: 'nothing' };
  return { to: 'resource', group, version, resource: first, namespace: '', name: second ?? '' };
}

/** Parses the path of a request. */
export function parseRoute(path: string): Route {
  const [root, first, second, ...rest] = path.split('/').filter((part) => part !== '');
  switch (root) {
    case 'version':
      return { to: 'version' };
    case 'healthz':
    case 'livez':
    case 'readyz':
      return { to: 'health' };
    case 'api':
      if (first === undefined) return { to: 'core-versions' };
      if (first !== 'v1') return { to: 'nothing' };
      return resourceRoute('', first, second === undefined ? rest : [second, ...rest]);
    case 'apis':
      if (first === undefined) return { to: 'groups' };
      if (second === undefined) return { to: 'group', group: first };
      return resourceRoute(first, second, rest);
    default:
      return { to: 'nothing' };
  }
}
