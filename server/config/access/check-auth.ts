import { meantWord } from '#lib/format/edit-distance.ts';
import { isSafeAddress, type AuthFile } from './auth-schema.ts';
import { isAddress } from './auth-settings.ts';

/** Parts of the file that `auth` must agree with. */
interface Around {
  readonly auth?: AuthFile | undefined;
  readonly publicUrl?: string | undefined;
  readonly clusters: readonly { readonly name?: string | undefined; readonly directory?: string | undefined }[];
}

interface Problem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Problems of `auth` with itself and with the rest of the file. */
export function authProblems({ auth, publicUrl, clusters }: Around): readonly Problem[] {
  if (auth === undefined) return [];
  // A directory may hold clusters of any name.
  const known = clusters.some(({ directory }) => directory !== undefined)
    ? null
    : new Set(clusters.flatMap(({ name }) => name ?? []));
  return [
    ...addressProblems(auth, publicUrl),
    ...jwksProblems(auth),
    ...teamProblems(auth),
    ...issuerProblems(auth),
    ...(known === null ? [] : clusterProblems(auth, known)),
  ];
}

function addressProblems(_auth: AuthFile, publicUrl: string | undefined): readonly Problem[] {
  if (publicUrl === undefined)
    return [
      {
        path: ['auth'],
        message: 'auth needs publicUrl: where people reach the pages, such as https://plumbline.example.org',
      },
    ];
  if (isSafeAddress(publicUrl)) return [];
  const message = 'publicUrl must be https:// where auth is set: over http:// whoever is on the way takes the session';
  return [{ path: ['publicUrl'], message }];
}

function jwksProblems({ proxy }: AuthFile): readonly Problem[] {
  if (proxy === undefined || !isAddress(proxy.jwks) || isSafeAddress(proxy.jwks)) return [];
  return [{ path: ['auth', 'proxy', 'jwks'], message: 'auth.proxy.jwks: must be an address of https://, or a file' }];
}

function teamProblems(auth: AuthFile): readonly Problem[] {
  const names = Object.keys(auth.teams);
  return auth.access.flatMap(({ teams = [] }, index) =>
    teams.flatMap((name, at) => {
      if (Object.hasOwn(auth.teams, name)) return [];
      const meant = meantWord(name, names);
      const hint = meant === null ? '' : `: did you mean "${meant}"?`;
      return [{ path: ['auth', 'access', index, 'teams', at], message: `auth.teams has no "${name}"${hint}` }];
    }),
  );
}

/** A subject of an issuer that nobody vouches for would never be anybody. */
function issuerProblems(auth: AuthFile): readonly Problem[] {
  const issuers = [auth.oidc?.issuer, auth.proxy?.issuer].filter((issuer) => issuer !== undefined);
  return auth.access.flatMap(({ subjects }, index) =>
    subjects.flatMap((subject, at) => {
      const issuer = subject.slice(0, subject.indexOf('#'));
      if (issuers.includes(issuer)) return [];
      const message = `auth names no issuer ${issuer}: a subject is ISSUER#SUBJECT, and issuers here are ${issuers.join(', ')}`;
      return [{ path: ['auth', 'access', index, 'subjects', at], message }];
    }),
  );
}

function clusterProblems(auth: AuthFile, known: ReadonlySet<string>): readonly Problem[] {
  const unknown = (clusters: readonly string[] | undefined, path: readonly PropertyKey[]): readonly Problem[] =>
    (clusters ?? []).flatMap((name, at) =>
      known.has(name) ? [] : [{ path: [...path, 'clusters', at], message: `no cluster is called "${name}"` }],
    );
  return [
    ...Object.entries(auth.teams).flatMap(([team, grants]) =>
      grants.flatMap(({ clusters }, index) => unknown(clusters, ['auth', 'teams', team, index])),
    ),
    ...auth.access.flatMap(({ clusters }, index) => unknown(clusters, ['auth', 'access', index])),
  ];
}
