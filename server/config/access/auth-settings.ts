import type { Entitlement } from '#lib/domain/access/entitlement.ts';
import { everyGrant, type Grant } from '#lib/domain/access/scope.ts';
import { type AuthFile, namesSomething } from './auth-schema.ts';

/** Where the groups of a person stand, and how the file calls them. */
export interface GroupSettings {
  /** The keys that lead to the claim. */
  readonly claim: readonly string[];
  /** Names in the file by what the provider says; what is not among them is called as the provider does. */
  readonly names: ReadonlyMap<string, string>;
}

/** Login at an OpenID provider. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Absolute; null for a public client. */
  readonly clientSecretFile: string | null;
  readonly scopes: readonly string[];
  readonly groups: GroupSettings;
  /** ms. */
  readonly sessionFor: number;
  readonly logout: 'provider' | 'here';
}

/** A proxy that says by a JWT who asks. */
export interface ProxySettings {
  readonly issuer: string;
  readonly audience: readonly string[];
  readonly algorithms: readonly string[];
  /** An address, or a file (absolute). */
  readonly jwks: { readonly type: 'address' | 'file'; readonly at: string };
  /** In small letters. */
  readonly header: string;
  readonly groups: GroupSettings;
}

/** `auth`, checked and resolved. */
export interface AuthSettings {
  readonly oidc: OidcSettings | null;
  readonly proxy: ProxySettings | null;
  readonly teams: ReadonlyMap<string, readonly Grant[]>;
  readonly access: readonly Entitlement[];
}

/** Turns `auth` as it is written into settings; `path` makes a path absolute. */
export function authSettings(file: AuthFile, path: (written: string) => string): AuthSettings {
  const { oidc, proxy } = file;
  const teams = new Map(Object.entries(file.teams).map(([name, grants]) => [name, grants.map(grantOf)]));
  return {
    oidc: oidc === undefined ? null : oidcOf(oidc, path),
    proxy: proxy === undefined ? null : proxyOf(proxy, path),
    teams,
    access: file.access.map(({ groups, subjects, roles, ...seen }) => ({
      groups,
      subjects,
      roles,
      grants: grantsOf(seen, teams),
    })),
  };
}

/** The files that the pages read of these settings. */
export function filesOf({ oidc, proxy }: AuthSettings): readonly string[] {
  const secret = oidc?.clientSecretFile ?? null;
  return [...(secret === null ? [] : [secret]), ...(proxy?.jwks.type === 'file' ? [proxy.jwks.at] : [])];
}

function oidcOf(oidc: NonNullable<AuthFile['oidc']>, path: (written: string) => string): OidcSettings {
  const { issuer, clientId, clientSecretFile, scopes, sessionHours, logout } = oidc;
  return {
    issuer,
    clientId,
    clientSecretFile: clientSecretFile === undefined ? null : path(clientSecretFile),
    scopes,
    groups: groupsOf(oidc),
    sessionFor: sessionHours * 3_600_000,
    logout,
  };
}

function proxyOf(proxy: NonNullable<AuthFile['proxy']>, path: (written: string) => string): ProxySettings {
  const { issuer, audience, algorithms, jwks, header } = proxy;
  return {
    issuer,
    audience: typeof audience === 'string' ? [audience] : audience,
    algorithms,
    jwks: isAddress(jwks) ? { type: 'address', at: jwks } : { type: 'file', at: path(jwks) },
    header: header.toLowerCase(),
    groups: groupsOf(proxy),
  };
}

/** True for an address in place of a file. */
export function isAddress(jwks: string): boolean {
  return /^https?:/i.test(jwks);
}

function groupsOf({
  groupsClaim,
  groups,
}: Pick<NonNullable<AuthFile['oidc']>, 'groupsClaim' | 'groups'>): GroupSettings {
  return {
    claim: typeof groupsClaim === 'string' ? [groupsClaim] : groupsClaim,
    names: new Map(Object.entries(groups)),
  };
}

type Written = Pick<AuthFile['access'][number], 'clusters' | 'labels' | 'namespaces'>;

function grantOf({ clusters, labels, namespaces }: Written): Grant {
  return { clusters: clusters ?? null, labels: labels ?? everyGrant.labels, namespaces: namespaces ?? null };
}

function grantsOf(
  { everything, teams, ...own }: Pick<AuthFile['access'][number], 'everything' | 'teams'> & Written,
  known: ReadonlyMap<string, readonly Grant[]>,
): readonly Grant[] | null {
  if (everything === true) return null;
  const ofTeams = (teams ?? []).flatMap((name) => known.get(name) ?? []);
  return namesSomething(own) ? [...ofTeams, grantOf(own)] : ofTeams;
}
