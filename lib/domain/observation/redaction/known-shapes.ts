import { withoutEnd } from '../../../text/without-end.ts';
import { gitleaksRules } from './gitleaks-rules.ts';
import { secretSpan, spansBehind, type Finder, type Span } from './span.ts';

const privateKey = /-----BEGIN[^-]{0,40}-----(?:(?!-----END)[\s\S])*(?:-----END[^-]{0,40}-----)?/g;

/** Tokens by how they begin, shorter than the rules of gitleaks take them, as messages cut them; and some that it does not know. */
const beginnings =
  /(?<![A-Za-z0-9])(?:(?:AKIA|ASIA)[0-9A-Z]{12,}|gh[opsur]_\w{16,}|github_pat_\w{16,}|gl(?:pat|rt|dt|ptt|cbt|ft|imt|agent|oas|soat|ffct)-[\w-]{8,}|xox[a-z]-[\w-]{8,}|xapp-[\w-]{8,}|npm_\w{24,}|hv[bsr]\.[\w-]{12,}|AIza[\w-]{30,}|ya29\.[\w-]{16,}|GOCSPX-[\w-]{16,}|SG\.[\w-]{10,}\.[\w-]{10,}|sk-[\w-]{20,}|(?:sk|rk|pk)_(?:live|test|prod)_\w{8,}|whsec_\w{16,}|do[opr]_v1_\w{16,}|dckr_(?:pat|oat)_[\w-]{8,}|AGE-SECRET-KEY-1[0-9A-Z]{8,}|tskey-[\w-]{12,}|k8s-aws-v1\.[\w-]+|pul-[0-9a-f]{20,}|dapi[0-9a-f]{16,}|pypi-\w[\w-]{15,}|glsa_\w{16,}|glc_\w{16,}|hf_\w{20,}|ATATT3[\w=-]{16,}|sha256~[\w-]{20,}|dt0c01\.\w{8,}\.?\w*|sntry[su]_[\w+/=]{16,}|NRAK-\w{16,}|lin_api_\w{16,}|s-s4t2(?:ud|af)-\w{16,}|A3-(?:[A-Z0-9]{5,11}-){2,}[A-Z0-9]{5,})/g;
const begun: readonly string[] = (
  'akia asia gho_ ghp_ ghs_ ghu_ ghr_ github_pat_ glpat- glrt- gldt- glptt- glcbt- glft- glimt- glagent- gloas- glsoat- glffct- xox xapp- npm_ hvs. hvb. ' +
  'hvr. aiza ya29. gocspx- sg. sk- _live_ _test_ _prod_ whsec_ do_v1_ _v1_ dckr_ age-secret-key-1 tskey- k8s-aws-v1. pul- dapi pypi- glsa_ glc_ hf_ ' +
  'atatt3 sha256~ dt0c01. sntry nrak- lin_api_ s-s4t2 a3-'
).split(' ');

/** Hashes of passwords as crypt(3) and htpasswd write them. */
const passwordHash = /\$(?:2[abxy]|apr1|argon2(?:id?|d)|scrypt|y|[156])\$[\w./$+=,-]{8,}/g;

/** A bootstrap token of kubeadm. The last part is more than hex: `node12.18e9ff0cc9259529` is the name of an Event. */
const bootstrapToken = /(?<![\w.-])[a-z0-9]{6}\.[a-z0-9]{16}(?![\w.-])/g;
const moreThanHex = /^\D*\d[^.]*\.(?=\D*\d)[^g-z]*[g-z]/;

/** A bot of Telegram is asked by its token. */
const telegramBot = /(api\.telegram\.org\/(?:file\/)?bot)[^\s/"'?#]{1,200}/gi;

/** The path of a receiver of Flux: who knows it may call it. */
const hook = /(\/hook\/)[0-9a-f]{64}/g;

/** Hooks of pagers and of rooms for talk: who knows one may write there. Mattermost's has 26 letters. */
const incoming =
  /(\b(?:events\.pagerduty\.com\/integration|hooks\.zapier\.com\/hooks\/catch|outlook\.office(?:365)?\.com\/webhook|hc-ping\.com)\/|\/hooks\/(?=[a-z0-9]{26}(?![\w-])))[^\s"'<>?#]{8,400}/g;

/** A run of words and dots in which a JSON Web Token may stand. Taken whole, so that it is looked at once. */
const dotted = /[\w.-]{12,}/g;

/** Secrets that are known by their shape, wherever they stand. */
export const knownShapes: readonly Finder[] = [
  { words: ['-----begin'], find: (text) => spansBehind(text, privateKey) },
  { words: begun, find: (text) => spansBehind(text, beginnings) },
  {
    words: ['$2', '$apr1$', '$argon2', '$scrypt$', '$y$', '$1$', '$5$', '$6$'],
    find: (text) => spansBehind(text, passwordHash),
  },
  { words: [], find: (text) => spansBehind(text, bootstrapToken, (token) => moreThanHex.test(token)) },
  { words: ['api.telegram.org'], find: (text) => spansBehind(text, telegramBot) },
  { words: ['/hook/'], find: (text) => spansBehind(text, hook) },
  {
    words: ['/hooks/', 'pagerduty.com', '.com/webhook', 'hc-ping.com'],
    find: (text) => spansBehind(text, incoming),
  },
  { words: ['eyj'], find: webTokens },
  ...gitleaksRules.map(({ words, secret }): Finder => ({ words, find: (text) => wholeWords(text, secret) })),
];

function webTokens(text: string): readonly Span[] {
  const spans: Span[] = [];
  for (const { 0: run, index } of text.matchAll(dotted)) {
    const start = run.indexOf('eyJ');
    const dot = start === -1 ? -1 : run.indexOf('.', start + 7);
    if (dot !== -1 && dot < run.length - 1) spans.push(secretSpan(index + start, index + withoutEnd(run, '.').length));
  }
  return spans;
}

/** All that a rule matches, each up to the end of the word in which it ends: the rest of a longer token is no less secret. */
function wholeWords(text: string, secret: RegExp): readonly Span[] {
  const spans: Span[] = [];
  for (const { 0: found, index } of text.matchAll(secret)) {
    const end = index + found.length;
    const done = spans.at(-1)?.to ?? 0;
    if (end > done) spans.push(secretSpan(index, end + wordAt(text, end)));
  }
  return spans;
}

function wordAt(text: string, from: number): number {
  let index = from;
  while (index < text.length && /[\w+/=~-]/.test(text.charAt(index))) index += 1;
  return index - from;
}
