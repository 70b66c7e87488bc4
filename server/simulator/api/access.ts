import type { ForeignObject } from '#lib/foreign.ts';
import { textAt } from '#lib/foreign.ts';
import { groupResource } from './kinds.ts';
import type { GroupResource, ServedKind } from './kinds.ts';
import { failure, jsonAnswer } from './status.ts';
import type { Answer } from './status.ts';

/** One rule of RBAC; `*` means all. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
}

/** Who a token stands for and what it may do. */
export interface User {
  readonly name: string;
  readonly rules: readonly PolicyRule[];
}

/** Attributes of a request to RBAC. */
export interface Attributes {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
}

/** Authentication and RBAC of one cluster; both may be changed at any time. */
export type Access = ReturnType<typeof createAccess>;

/** Rights of Plumbline's own ClusterRole: get, list and watch of everything but Secrets. */
export const reader: User = {
  name: 'system:serviceaccount:plumbline:plumbline',
  rules: [{ verbs: ['get', 'list', 'watch'], apiGroups: ['*'], resources: ['*'] }],
};

function covers(list: readonly string[], value: string): boolean {
  return list.includes('*') || list.includes(value);
}

/** Makes the access of a cluster that knows no token and forbids Secrets to all. */
export function createAccess() {
  const tokens = new Map<string, User>();
  const forbidden = new Set<GroupResource>(['secrets']);

  function allows(user: User, asked: Attributes): boolean {
    if (forbidden.has(groupResource(asked))) return false;
    return user.rules.some(
      (rule) =>
        covers(rule.verbs, asked.verb) && covers(rule.apiGroups, asked.group) && covers(rule.resources, asked.resource),
    );
  }

  return {
    authenticate: (authorization: string): User | null => tokens.get(authorization.replace(/^Bearer /i, '')) ?? null,
    allows,
    forbid: (kind: GroupResource): void => void forbidden.add(kind),
    permit: (kind: GroupResource): void => void forbidden.delete(kind),
    addToken: (token: string, user: User): void => void tokens.set(token, user),
    revokeToken: (token: string): void => void tokens.delete(token),
    /** Answers a SelfSubjectAccessReview. */
    reviewAccess(user: User, review: ForeignObject): Answer {
      const asked = ['spec', 'resourceAttributes'];
      const allowed = allows(user, {
        verb: textAt(review, ...asked, 'verb') ?? '',
        group: textAt(review, ...asked, 'group') ?? '',
        resource: textAt(review, ...asked, 'resource') ?? '',
        namespace: textAt(review, ...asked, 'namespace') ?? '',
      });
      const status = allowed ? { allowed, reason: 'RBAC: allowed by ClusterRoleBinding "plumbline"' } : { allowed };
      return jsonAnswer({ ...review, metadata: { creationTimestamp: null }, status }, 201);
    },
    /** Answers a SelfSubjectRulesReview: what `kinds` leave of the user's rules after what is forbidden. */
    reviewRules(user: User, review: ForeignObject, kinds: readonly ServedKind[]): Answer {
      const resourceRules =
        forbidden.size === 0
          ? user.rules
          : kinds.flatMap((kind) => {
              const verbs = ['get', 'list', 'watch'].filter((verb) => allows(user, { ...kind, verb, namespace: '' }));
              return verbs.length > 0 ? [{ verbs, apiGroups: [kind.group], resources: [kind.resource] }] : [];
            });
      const nonResourceRules = [
        { verbs: ['get'], nonResourceURLs: ['/api', '/api/*', '/apis', '/apis/*', '/version'] },
      ];
      const status = { resourceRules, nonResourceRules, incomplete: false };
      return jsonAnswer({ ...review, metadata: { creationTimestamp: null }, status }, 201);
    },
  };
}

/** 401, as the API server words it. */
export const unauthorized: Answer = failure(401, 'Unauthorized', 'Unauthorized');

/** 403 for a kind, as the RBAC authorizer words it. */
export function forbidden(user: User, asked: Attributes): Answer {
  const scope = asked.namespace === '' ? 'at the cluster scope' : `in the namespace "${asked.namespace}"`;
  const resource = `resource "${asked.resource}" in API group "${asked.group}"`;
  const message = `${groupResource(asked)} is forbidden: User "${user.name}" cannot ${asked.verb} ${resource} ${scope}`;
  return failure(403, 'Forbidden', message, { details: { group: asked.group, kind: asked.resource } });
}
