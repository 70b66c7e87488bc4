import { notThereAnswer, type WireNotThere } from '#lib/api/refusals/not-there.ts';
import type { WireRef, WireTransition } from '#lib/api/object.ts';
import type { WireProblem } from '#lib/api/refusals/problem.ts';

/** Everything that can be wrong with a request, or with us. */
export type Fault =
  | { readonly type: 'method-not-allowed'; readonly method: string }
  /** A path that proxies and we could read differently. */
  | { readonly type: 'bad-address' }
  /** A header that is not in the form that it has to have. */
  | { readonly type: 'bad-header'; readonly name: string }
  /** A request with a body. */
  | { readonly type: 'unwanted-body' }
  /** A host that this process is not served under. */
  | { readonly type: 'misdirected'; readonly host: string }
  | { readonly type: 'unknown-parameter'; readonly name: string; readonly known: readonly string[] }
  | { readonly type: 'bad-parameter'; readonly name: string; readonly message: string }
  | { readonly type: 'not-there'; readonly names: readonly WireNotThere[] }
  /** `last`: the last change that is recorded of an object that was there once; for its page. */
  | {
      readonly type: 'not-found';
      readonly what: string;
      readonly nearest: readonly WireRef[];
      readonly last?: WireTransition;
    }
  /** `since` in RFC 3339; null where there is no record at all. */
  | { readonly type: 'not-recorded'; readonly since: string | null }
  | { readonly type: 'too-many-streams' }
  /** More answers are being made than there is room for. */
  | { readonly type: 'too-many-answers' }
  | { readonly type: 'not-ready'; readonly message: string }
  | { readonly type: 'forbidden'; readonly message: string }
  | AccessFault
  | { readonly type: 'internal'; readonly id: string };

/** Why nobody is answered: it is not known who asks, or nothing is his. */
type AccessFaultType =
  | 'not-signed-in'
  | 'token-refused'
  /** The proof of a proxy in front is not to be believed. */
  | 'proof-refused'
  | 'no-access'
  | 'login-failed'
  | 'too-many-logins'
  /** Who asks cannot be found out now: the provider, the keys of sessions, the book of tokens. */
  | 'access-unusable';

/** One of them. `message` says what is wrong, `mend` what to do; neither holds a secret. */
export type AccessFault = {
  [Type in AccessFaultType]: { readonly type: Type; readonly message: string; readonly mend: string };
}[AccessFaultType];

/** Status and title of each. */
const accessProblems: Readonly<Record<AccessFault['type'], readonly [status: number, title: string]>> = {
  'not-signed-in': [401, 'Not logged in'],
  'token-refused': [401, 'Token refused'],
  'proof-refused': [401, 'Proof of the proxy refused'],
  'no-access': [403, 'Nothing to see'],
  'login-failed': [403, 'The login failed'],
  'too-many-logins': [429, 'Too many failed logins'],
  'access-unusable': [503, 'Nobody can be recognised now'],
};

/** Refusal in place of an answer: why there is none. */
export interface Refused {
  readonly refused: Fault;
}

/** Refuses an answer. */
export function refuse(fault: Fault): Refused {
  return { refused: fault };
}

/** Tells a refusal from an answer. */
export function isRefused(answer: object): answer is Refused {
  return 'refused' in answer;
}

/** A cursor that no answer gave. */
export const badCursor = refuse({ type: 'bad-parameter', name: 'cursor', message: 'is no cursor of this API' });

/** A store that cannot be read now; the follower tells why in the summary. */
export const unreadable = refuse({ type: 'not-ready', message: 'The record cannot be read now.' });

/** The one place where a fault becomes a problem of HTTP. */
export function problemOf(fault: Fault): WireProblem {
  const type = `/problems/${fault.type}`;
  switch (fault.type) {
    case 'method-not-allowed': {
      const detail = `${fault.method} is not served here: git is the only actuator.`;
      return { type, status: 405, title: 'Only reading is possible', detail };
    }
    case 'bad-address': {
      const detail =
        'The path is not in its normal form: no dot segments, no empty ones, no needless or bad escapes, no capitals in /embed and /badge, nothing that turns the direction of text.';
      return { type, status: 400, title: 'Bad address', detail };
    }
    case 'bad-header':
      return { type, status: 400, title: 'Bad header', detail: `${fault.name} is not in a form that can be read.` };
    case 'unwanted-body':
      return { type, status: 400, title: 'Unwanted body', detail: 'The request has a body: nothing here takes one.' };
    case 'misdirected': {
      const { host } = fault;
      const named = host === '' ? 'No one host is named.' : `The host "${host.slice(0, 100)}" is not served here.`;
      const detail = `${named} Served are this machine's own names, and publicUrl of plumbline.yaml.`;
      return { type, status: 421, title: 'Misdirected request', detail };
    }
    case 'unknown-parameter': {
      const { name, known } = fault;
      const others = known.length === 0 ? 'There are none here.' : `Known are ${known.join(', ')}.`;
      const detail = `There is no parameter "${name}". ${others}`;
      return { type, status: 400, title: 'Unknown parameter', detail, parameter: name };
    }
    case 'bad-parameter': {
      const { name, message } = fault;
      return { type, status: 400, title: 'Bad parameter', detail: `${name}: ${message}`, parameter: name };
    }
    case 'not-there': {
      const [detail, notThere] = [notThereAnswer(fault.names), [...fault.names]];
      return { type: '/problems/not-found', title: 'Not found', status: 404, detail, notThere };
    }
    case 'not-found':
      return { type, status: 404, title: 'Not found', detail: fault.what, nearest: [...fault.nearest] };
    case 'not-recorded': {
      const { since } = fault;
      const detail = since === null ? 'Nothing is recorded yet.' : `The record begins at ${since}.`;
      return { type, status: 404, title: 'Not recorded', detail, parameter: 'at', since };
    }
    case 'too-many-streams': {
      const detail = 'This process serves as many streams as it can; try again in a minute.';
      return { type, status: 503, title: 'Too many streams', detail };
    }
    case 'too-many-answers': {
      const detail = 'As many answers as there is room for are being made or read; try again in a moment.';
      return { type, status: 503, title: 'Too many answers', detail };
    }
    case 'not-ready':
      return { type, status: 503, title: 'Not ready', detail: fault.message };
    case 'forbidden':
      return { type, status: 403, title: 'Forbidden', detail: fault.message };
    case 'not-signed-in':
    case 'token-refused':
    case 'proof-refused':
    case 'no-access':
    case 'login-failed':
    case 'too-many-logins':
    case 'access-unusable': {
      const [status, title] = accessProblems[fault.type];
      return { type, status, title, detail: `${fault.message} ${fault.mend}` };
    }
    case 'internal': {
      const detail = `This is a fault of Plumbline; its log tells more under ${fault.id}.`;
      return { type, status: 500, title: 'Fault of Plumbline', detail, id: fault.id };
    }
  }
}
