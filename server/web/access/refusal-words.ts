import { foreignReason } from '#lib/foreign-words.ts';
import type { AuthSettings } from '#server/config/access/auth-settings.ts';
import type { AccessFault } from '../http/problem.ts';
import type { Refusal } from './ask-who.ts';
import type { ToldGroups } from './claims.ts';
import type { LoginFault } from './login/login-fault.ts';
import type { ProofFault } from './proxy-proof.ts';

/** Most groups that are listed to the one whose they are. */
const mostListed = 40;

/** Says why nobody is answered, and what to do. */
export function refusalFault(refusal: Refusal, { oidc }: Pick<AuthSettings, 'oidc'>): AccessFault {
  switch (refusal.type) {
    case 'not-signed-in': {
      const message = refusal.session === 'over' ? 'The session is over.' : 'Who asks is not known.';
      const people = oidc === null ? 'People come through the proxy in front' : 'People log in at /access/login';
      return { type: 'not-signed-in', message, mend: `${people}; machines send a token as "Authorization: Bearer".` };
    }
    case 'token-refused':
      return {
        type: 'token-refused',
        message: tokenWords[refusal.why],
        mend: 'plumbline token --list shows those that open, --new makes one.',
      };
    case 'proof-refused':
      return proofFault(refusal.fault);
    case 'no-access':
      return noAccess(refusal.subject, refusal.told);
    case 'unusable':
      return refusal.what === 'session-keys' ? keysUnusable : bookUnusable;
  }
}

const tokenWords: Readonly<Record<'malformed' | 'unknown' | 'revoked' | 'ended', string>> = {
  malformed: 'This is no whole token of Plumbline: it was cut or changed.',
  unknown: 'No such token is kept here.',
  revoked: 'This token was revoked.',
  ended: 'This token has ended.',
};

/** The keys of sessions cannot be used. */
export const keysUnusable: AccessFault = {
  type: 'access-unusable',
  message: 'The keys that open sessions cannot be used.',
  mend: 'Whoever runs Plumbline sees why by: plumbline session-key --list',
};

const bookUnusable: AccessFault = {
  type: 'access-unusable',
  message: 'The list of tokens and of sessions that ended cannot be read.',
  mend: 'Whoever runs Plumbline sees why by: plumbline token --list',
};

function proofFault(fault: ProofFault): AccessFault {
  const refused = (message: string, mend: string): AccessFault => ({ type: 'proof-refused', message, mend });
  const told = 'What the proxy in front says of who asks is not believed:';
  switch (fault.type) {
    case 'issuer':
      return refused(
        `${told} it is of another issuer.`,
        'auth.proxy.issuer must be the iss of its tokens, letter by letter.',
      );
    case 'audience':
      return refused(`${told} it is for another program.`, 'auth.proxy.audience must be the aud of its tokens.');
    case 'expired':
      return refused(
        `${told} its time is over.`,
        'Load the page anew. Where that does not help, compare the clocks of both machines.',
      );
    case 'not-yet':
      return refused(
        `${told} its time has not begun.`,
        'Compare the clocks of both machines: 60 s between them are borne.',
      );
    case 'algorithm':
      return refused(
        `${told} it is signed by an algorithm that is not allowed.`,
        'auth.proxy.algorithms must hold that of its tokens.',
      );
    case 'signature':
      return refused(`${told} its signature is wrong.`, 'auth.proxy.jwks must be the keys of that proxy.');
    case 'key':
      return refused(
        `${told} no key of auth.proxy.jwks has signed it.`,
        'A key that was rotated away signs nothing any more: log in anew there.',
      );
    case 'claim':
      return refused(
        `${told} its claim ${foreignReason(fault.name)} is missing or wrong.`,
        'Its tokens need exp and sub.',
      );
    case 'malformed':
      return refused(`${told} it is no JWT.`, 'auth.proxy.header must be the header that holds the token alone.');
    case 'keys':
      return {
        type: 'access-unusable',
        message: `The keys of the proxy cannot be had: ${foreignReason(fault.why)}.`,
        mend: 'Try again in a moment. Whoever runs Plumbline: auth.proxy.jwks must be reached from its pages.',
      };
  }
}

/** Somebody whom no line of the file is about. */
export function noAccess(subject: string, told: ToldGroups): AccessFault {
  const ask = `Ask whoever runs Plumbline to name one of them, or the subject ${foreignReason(subject)}, under auth.access in plumbline.yaml.`;
  return { type: 'no-access', message: `You are logged in, and nothing here is yours. ${toldWords(told)}`, mend: ask };
}

function toldWords(told: ToldGroups): string {
  switch (told.type) {
    case 'absent':
      return 'The provider tells no groups of you: the claim that auth names is not there (some providers need a scope, or a mapper, for it).';
    case 'overage':
      return 'You are in more groups than the provider puts into a token (Entra ID: 200): it tells none of them. Let it tell those alone that are assigned to the application, or app roles.';
    case 'too-many':
      return 'The provider tells more than 5,000 groups of you, more than are looked at.';
    case 'told': {
      if (told.groups.length === 0) return 'The provider tells no groups of you.';
      const shown = told.groups.slice(0, mostListed).map(foreignReason).join(', ');
      const more = told.groups.length > mostListed ? ` and ${told.groups.length - mostListed} more` : '';
      return `The provider tells these groups of you: ${shown}${more}. No line of auth.access is about one of them.`;
    }
  }
}

/** Says why a login failed, and what to do. */
export function loginFault(fault: LoginFault): AccessFault {
  const failed = (message: string, mend: string): AccessFault => ({ type: 'login-failed', message, mend });
  switch (fault.type) {
    case 'provider-away':
      return {
        type: 'access-unusable',
        message: `The login provider cannot be asked: ${fault.why}.`,
        mend: 'Whoever is logged in already stays so. Try again in a moment.',
      };
    case 'other-issuer':
      return failed(
        'The provider calls itself otherwise than plumbline.yaml does.',
        'auth.oidc.issuer must be its issuer, letter by letter.',
      );
    case 'refused': {
      const said = fault.said === null ? '' : ` It says: ${fault.said}`;
      return failed(
        `The provider refused the login (${fault.code}).${said}`,
        'Log in again. Where that does not help, ask whoever runs the provider.',
      );
    }
    case 'client': {
      const said = fault.said === null ? '' : ` It says: ${fault.said}`;
      return failed(
        `The provider refused Plumbline itself (${fault.code}).${said}`,
        'Whoever runs Plumbline: clientId, clientSecretFile and the address of return must be those that the provider knows.',
      );
    }
    case 'clock':
      return failed(
        "The provider's token is of another time than now here.",
        'The clocks of the provider and of Plumbline differ by more than 60 s: set the one that is wrong.',
      );
    case 'claim':
      return failed(
        `The provider's token is not for this login: its ${foreignReason(fault.name)} is another.`,
        claimMend[fault.name] ?? 'Log in again.',
      );
    case 'token':
      return failed(
        `The provider's token is not sound: ${fault.why}.`,
        'Log in again. Where that does not help, look at the keys that it publishes.',
      );
    case 'secret':
      return {
        type: 'access-unusable',
        message: 'The secret by which the provider knows Plumbline cannot be read.',
        mend: 'Whoever runs Plumbline: look at the file of auth.oidc.clientSecretFile.',
      };
  }
}

const claimMend: Readonly<Record<string, string>> = {
  aud: 'auth.oidc.clientId must be the client that the provider issues tokens to.',
  iss: 'auth.oidc.issuer must be the issuer of its tokens, letter by letter.',
  nonce: 'Log in again, from the beginning: the answer was made for another login.',
};
