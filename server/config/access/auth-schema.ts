import { z } from 'zod';
import { roles } from '#lib/domain/access/viewer.ts';
import { isLoopback } from '#server/runtime/loopback.ts';
import { clusterName, labels, text } from '../field-schemas.ts';

/** True for an address whose answers nobody on the way can change: https, or this machine. */
export function isSafeAddress(written: string): boolean {
  const url = URL.parse(written);
  if (url === null || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[|\]$/g, '')));
}

const issuer = z
  .string()
  .max(500)
  .refine((written) => isSafeAddress(written) && !/[?#\s]/.test(written), {
    error:
      'must be the issuer as the provider writes it, such as https://id.example.org/realms/main: https, without user, ? and #',
  });

/** Name of a group in this file. */
const groupName = z.string().min(1).max(256);

const groupsClaim = z
  .union([z.string().min(1).max(256), z.array(z.string().min(1).max(256)).min(1).max(8)])
  .default('groups')
  .meta({ description: 'The claim that holds the groups; a list leads into it, such as [realm_access, roles].' });

const groupNames = z.record(z.string().min(1).max(1_024), groupName).default({}).meta({
  description: 'Names of groups in this file by what the provider calls them, where that differs, such as an id.',
});

/** Signatures by a pair of keys: one that needs a shared secret could be made by whoever has the public key. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const;

const oidc = z.strictObject({
  issuer: issuer.meta({ description: 'The OpenID provider. It is asked at ISSUER/.well-known/openid-configuration.' }),
  clientId: text.max(500).meta({ description: 'The name under which the provider knows Plumbline.' }),
  clientSecretFile: text.optional().meta({
    description: 'A file with the secret of that client, read anew at each login; a public client where absent.',
  }),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5B\x5D-\x7E]{1,200}$/, 'must be one scope, without spaces'))
    .max(20)
    .default(['openid', 'profile'])
    .refine((scopes) => scopes.includes('openid'), 'must have openid among them')
    .meta({ description: 'What is asked for. Some providers tell groups only where the scope groups is among them.' }),
  groupsClaim,
  groups: groupNames,
  sessionHours: z
    .number()
    .min(0.25)
    .max(168)
    .default(10)
    .meta({ description: 'For how many hours a login holds. What the provider changes holds from the next one on.' }),
  logout: z.enum(['provider', 'here']).default('provider').meta({
    description: 'Whether a logout ends the session at the provider too, where it offers that, or the one here alone.',
  }),
});

const proxy = z.strictObject({
  issuer: z
    .string()
    .max(500)
    .regex(/^[^#\s]+$/, 'must be the iss of its tokens, without # and spaces')
    .meta({ description: 'The iss of its tokens, exactly.' }),
  audience: z
    .union([text.max(500), z.array(text.max(500)).min(1).max(16)])
    .meta({ description: 'The aud that its tokens must have, exactly: one of these.' }),
  algorithms: z
    .array(z.enum(algorithms))
    .min(1)
    .default(['RS256'])
    .meta({ description: 'The algorithms that its tokens may be signed by.' }),
  jwks: text.max(1_024).meta({ description: 'Its public keys: an address of https://, or a file.' }),
  header: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, 'must be the name of a header: letters, digits and -')
    .meta({ description: 'The header that holds the token, alone or behind "Bearer ".' }),
  groupsClaim,
  groups: groupNames,
});

const namespace = z
  .string()
  .regex(/^(?:-|[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)$/, 'must be a namespace, or "-" for what has none');

const grantShape = {
  clusters: z.array(clusterName).min(1).max(1_000).optional().meta({ description: 'By name; all where absent.' }),
  labels: labels.optional().meta({ description: 'Labels that a cluster must carry, all of them.' }),
  namespaces: z
    .array(namespace)
    .min(1)
    .max(1_000)
    .optional()
    .meta({ description: 'On those clusters; all where absent. "-" is what has no namespace.' }),
};

const grant = z.strictObject(grantShape).refine(namesSomething, 'must name clusters, labels or namespaces');

const entitlement = z
  .strictObject({
    groups: z.array(groupName).max(200).default([]).meta({ description: 'Whom it is about, by groups.' }),
    subjects: z
      .array(
        z
          .string()
          .max(1_000)
          .regex(/^[^#\s]+#\S+$/, 'must be ISSUER#SUBJECT, as the log of access has it'),
      )
      .max(200)
      .default([])
      .meta({ description: 'Whom it is about, one by one: ISSUER#SUBJECT.' }),
    roles: z
      .array(z.enum(roles))
      .min(1)
      .default(['viewer'])
      .meta({ description: 'viewer sees; link-maker makes links of it too; auditor sees who looked at what, too.' }),
    everything: z.literal(true).optional().meta({ description: 'All clusters, also those that come later.' }),
    teams: z.array(groupName).min(1).max(50).optional().meta({ description: 'What these teams see.' }),
    ...grantShape,
  })
  .superRefine((entry, context) => {
    const say = (message: string): void => context.addIssue({ code: 'custom', message });
    if (entry.groups.length + entry.subjects.length === 0) say('must say whom it is about: groups, or subjects');
    const own = namesSomething(entry);
    if (entry.everything === true && (own || entry.teams !== undefined))
      say('everything goes with nothing else: leave clusters, labels, namespaces and teams away');
    if (entry.everything === undefined && !own && entry.teams === undefined)
      say('must say what they see: everything: true, teams, or clusters, labels, namespaces');
  });

/** True if a line narrows down what is seen: without that it would be everything. */
export function namesSomething(entry: {
  readonly clusters?: unknown;
  readonly labels?: object | undefined;
  readonly namespaces?: unknown;
}): boolean {
  const { clusters, labels: carried, namespaces } = entry;
  return clusters !== undefined || namespaces !== undefined || Object.keys(carried ?? {}).length > 0;
}

/** `auth` of plumbline.yaml, as it is written. */
export const authSchema = z
  .strictObject({
    oidc: oidc.optional().meta({ description: 'People log in at an OpenID provider.' }),
    proxy: proxy.optional().meta({ description: 'A proxy in front says who asks, by a signed token.' }),
    teams: z
      .record(z.string().min(1).max(256), z.array(grant).min(1).max(200))
      .default({})
      .meta({ description: 'What a team sees, to be named in access and by tokens.' }),
    access: z.array(entitlement).min(1).max(1_000).meta({
      description: 'Who may see what. Somebody whom several lines are about sees what they hold together.',
    }),
  })
  .superRefine((auth, context) => {
    if (auth.oidc === undefined && auth.proxy === undefined)
      context.addIssue({ code: 'custom', message: 'must say who knows people: oidc, proxy, or both' });
  });

/** Output of `authSchema`. */
export type AuthFile = z.output<typeof authSchema>;
