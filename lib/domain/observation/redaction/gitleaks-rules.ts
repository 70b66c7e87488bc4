/* Data of gitleaks v8.30.1, written by scripts/gitleaks/take.mjs: do not edit.
 *
 * MIT License
 *
 * Copyright (c) 2019 Zachary Rice
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy
 * of this software and associated documentation files (the "Software"), to deal
 * in the Software without restriction, including without limitation the rights
 * to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
 * copies of the Software, and to permit persons to whom the Software is
 * furnished to do so, subject to the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in all
 * copies or substantial portions of the Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
 * IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
 * FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
 * AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
 * LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
 * OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
 * SOFTWARE.
 */

/** A secret that is known by its shape. */
export interface ShapeRule {
  /** The name of the rule in gitleaks. */
  readonly id: string;
  /** A text without any of these (lower case) does not hold it. */
  readonly words: readonly string[];
  /** Matches the secret, whole or its beginning; global, linear. */
  readonly secret: RegExp;
}

/** Where the rules are from: "v8.30.1" of gitleaks. */
export const gitleaksVersion = 'v8.30.1';

/** The rules of gitleaks for secrets of one vendor's shape. */
export const gitleaksRules: readonly ShapeRule[] = [
  {
    id: '1password-secret-key',
    words: ['a3-'],
    secret: /\bA3-[A-Z0-9]{6}-(?:(?:[A-Z0-9]{11})|(?:[A-Z0-9]{6}-[A-Z0-9]{5}))-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}\b/g,
  },
  { id: '1password-service-account-token', words: ['ops_'], secret: /ops_eyJ[a-zA-Z0-9+/]{250,650}={0,3}/g },
  { id: 'adobe-client-secret', words: ['p8e-'], secret: /\b(?:p8e-[a-z0-9A-Z]{32})/g },
  {
    id: 'age-secret-key',
    words: ['age-secret-key-1'],
    secret: /AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}/g,
  },
  { id: 'airtable-personnal-access-token', words: ['airtable'], secret: /\b(?:pat[a-zA-Z0-9]{14}\.[a-f0-9]{64})\b/g },
  { id: 'alibaba-access-key-id', words: ['ltai'], secret: /\b(?:LTAI[a-z0-9A-Z]{20})/g },
  { id: 'anthropic-admin-api-key', words: ['sk-ant-admin01'], secret: /\b(?:sk-ant-admin01-[a-zA-Z0-9_-]{93}AA)/g },
  { id: 'anthropic-api-key', words: ['sk-ant-api03'], secret: /\b(?:sk-ant-api03-[a-zA-Z0-9_-]{93}AA)/g },
  { id: 'artifactory-api-key', words: ['akcp'], secret: /\bAKCp[A-Za-z0-9]{69}\b/g },
  { id: 'artifactory-reference-token', words: ['cmvmd'], secret: /\bcmVmd[A-Za-z0-9]{59}\b/g },
  {
    id: 'authress-service-client-access-key',
    words: ['sc_', 'ext_', 'scauth_', 'authress_'],
    secret:
      /\b(?:(?:sc|ext|scauth|authress)_[a-z0-9A-Z]{5,30}\.[a-z0-9A-Z]{4,6}\.(?:acc)[_-][a-z0-9A-Z-]{10,32}\.[a-z0-9+/_=A-Z-]{30,120})/g,
  },
  {
    id: 'aws-access-token',
    words: ['a3t', 'akia', 'asia', 'abia', 'acca'],
    secret: /\b(?:(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16})\b/g,
  },
  { id: 'aws-amazon-bedrock-api-key-long-lived', words: ['absk'], secret: /\b(?:ABSK[A-Za-z0-9+/]{109,269}={0,2})/g },
  {
    id: 'aws-amazon-bedrock-api-key-short-lived',
    words: ['bedrock-api-key-'],
    secret: /bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t/g,
  },
  {
    id: 'azure-ad-client-secret',
    words: ['q~'],
    secret: /(?<=^|[\\'"\x60\s>=:(,)])(?:[a-zA-Z0-9_~.]{3}\dQ~[a-zA-Z0-9_~.-]{31,34})/g,
  },
  { id: 'clickhouse-cloud-api-secret-key', words: ['4b1d'], secret: /\b(?:4b1d[A-Za-z0-9]{38})\b/g },
  { id: 'clojars-api-token', words: ['clojars_'], secret: /CLOJARS_[a-z0-9]{60}/gi },
  { id: 'cloudflare-origin-ca-key', words: ['cloudflare', 'v1.0-'], secret: /\b(?:v1\.0-[a-f0-9]{24}-[a-f0-9]{146})/g },
  { id: 'databricks-api-token', words: ['dapi'], secret: /\b(?:dapi[a-f0-9]{32}(?:-\d)?)/g },
  { id: 'digitalocean-access-token', words: ['doo_v1_'], secret: /\b(?:doo_v1_[a-f0-9]{64})/g },
  { id: 'digitalocean-pat', words: ['dop_v1_'], secret: /\b(?:dop_v1_[a-f0-9]{64})/g },
  { id: 'digitalocean-refresh-token', words: ['dor_v1_'], secret: /\b(?:dor_v1_[a-f0-9]{64})/gi },
  { id: 'doppler-api-token', words: ['dp.pt.'], secret: /dp\.pt\.[a-z0-9A-Z]{43}/g },
  { id: 'duffel-api-token', words: ['duffel_'], secret: /duffel_(?:test|live)_[a-z0-9_=A-Z-]{43}/g },
  { id: 'dynatrace-api-token', words: ['dt0c01.'], secret: /dt0c01\.[a-z0-9A-Z]{24}\.[a-z0-9A-Z]{64}/g },
  { id: 'easypost-api-token', words: ['ezak'], secret: /\bEZAK[a-z0-9A-Z]{54}\b/g },
  { id: 'easypost-test-api-token', words: ['eztk'], secret: /\bEZTK[a-z0-9A-Z]{54}\b/g },
  { id: 'facebook-access-token', words: ['facebook'], secret: /\b(?:\d{15,16}(?:\||%)[0-9a-z_-]{27,40})/gi },
  { id: 'facebook-page-access-token', words: ['eaam', 'eaac'], secret: /\b(?:EAA[MC][a-z0-9A-Z]{100,500})/g },
  { id: 'flutterwave-encryption-key', words: ['flwseck_test'], secret: /FLWSECK_TEST-[a-h0-9A-H]{12}/g },
  { id: 'flutterwave-public-key', words: ['flwpubk_test'], secret: /FLWPUBK_TEST-[a-h0-9A-H]{32}-[xX]/g },
  { id: 'flutterwave-secret-key', words: ['flwseck_test'], secret: /FLWSECK_TEST-[a-h0-9A-H]{32}-[xX]/g },
  {
    id: 'flyio-access-token',
    words: ['fo1_', 'fm1', 'fm2_'],
    secret: /\b(?:(?:fo1_[\w-]{43}|fm1[ar]_[a-zA-Z0-9+/]{100,500}={0,3}|fm2_[a-zA-Z0-9+/]{100,500}={0,3}))/g,
  },
  { id: 'frameio-api-token', words: ['fio-u-'], secret: /fio-u-[a-z0-9_=A-Z-]{64}/g },
  { id: 'gcp-api-key', words: ['aiza'], secret: /\b(?:AIza[\w-]{35})/g },
  { id: 'github-app-token', words: ['ghu_', 'ghs_'], secret: /(?:ghu|ghs)_[0-9a-zA-Z]{36}/g },
  { id: 'github-fine-grained-pat', words: ['github_pat_'], secret: /github_pat_\w{82}/g },
  { id: 'github-oauth', words: ['gho_'], secret: /gho_[0-9a-zA-Z]{36}/g },
  { id: 'github-pat', words: ['ghp_'], secret: /ghp_[0-9a-zA-Z]{36}/g },
  { id: 'github-refresh-token', words: ['ghr_'], secret: /ghr_[0-9a-zA-Z]{36}/g },
  { id: 'gitlab-cicd-job-token', words: ['glcbt-'], secret: /glcbt-[0-9a-zA-Z]{1,5}_[0-9a-zA-Z_-]{20}/g },
  { id: 'gitlab-deploy-token', words: ['gldt-'], secret: /gldt-[0-9a-zA-Z_-]{20}/g },
  { id: 'gitlab-feature-flag-client-token', words: ['glffct-'], secret: /glffct-[0-9a-zA-Z_-]{20}/g },
  { id: 'gitlab-feed-token', words: ['glft-'], secret: /glft-[0-9a-zA-Z_-]{20}/g },
  { id: 'gitlab-incoming-mail-token', words: ['glimt-'], secret: /glimt-[0-9a-zA-Z_-]{25}/g },
  { id: 'gitlab-kubernetes-agent-token', words: ['glagent-'], secret: /glagent-[0-9a-zA-Z_-]{50}/g },
  { id: 'gitlab-oauth-app-secret', words: ['gloas-'], secret: /gloas-[0-9a-zA-Z_-]{64}/g },
  { id: 'gitlab-pat', words: ['glpat-'], secret: /glpat-[\w-]{20}/g },
  { id: 'gitlab-pat-routable', words: ['glpat-'], secret: /\bglpat-[0-9a-zA-Z_-]{27,300}\.[0-9a-z]{2}[0-9a-z]{7}\b/g },
  { id: 'gitlab-ptt', words: ['glptt-'], secret: /glptt-[0-9a-f]{40}/g },
  { id: 'gitlab-rrt', words: ['gr1348941'], secret: /GR1348941[\w-]{20}/g },
  { id: 'gitlab-runner-authentication-token', words: ['glrt-'], secret: /glrt-[0-9a-zA-Z_-]{20}/g },
  {
    id: 'gitlab-runner-authentication-token-routable',
    words: ['glrt-'],
    secret: /\bglrt-t\d_[0-9a-zA-Z_-]{27,300}\.[0-9a-z]{2}[0-9a-z]{7}\b/g,
  },
  { id: 'gitlab-scim-token', words: ['glsoat-'], secret: /glsoat-[0-9a-zA-Z_-]{20}/g },
  { id: 'gitlab-session-cookie', words: ['_gitlab_session='], secret: /_gitlab_session=[0-9a-z]{32}/g },
  { id: 'grafana-api-key', words: ['eyjrijoi'], secret: /\b(?:eyJrIjoi[A-Za-z0-9]{70,400}={0,3})/gi },
  { id: 'grafana-cloud-api-token', words: ['glc_'], secret: /\b(?:glc_[A-Za-z0-9+/]{32,400}={0,3})/gi },
  { id: 'grafana-service-account-token', words: ['glsa_'], secret: /\b(?:glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8})/gi },
  {
    id: 'harness-api-key',
    words: ['pat.', 'sat.'],
    secret: /(?:pat|sat)\.[a-zA-Z0-9_-]{22}\.[a-zA-Z0-9]{24}\.[a-zA-Z0-9]{20}/g,
  },
  { id: 'hashicorp-tf-api-token', words: ['atlasv1'], secret: /[a-z0-9]{14}\.(?:atlasv1)\.[a-z0-9_=-]{60,70}/gi },
  { id: 'heroku-api-key-v2', words: ['hrku-aa'], secret: /\b(?:(?:HRKU-AA[0-9a-zA-Z_-]{58}))/g },
  { id: 'huggingface-access-token', words: ['hf_'], secret: /\b(?:hf_(?:[a-zA-Z]{34}))/g },
  { id: 'huggingface-organization-api-token', words: ['api_org_'], secret: /\b(?:api_org_(?:[a-zA-Z]{34}))/g },
  { id: 'infracost-api-token', words: ['ico-'], secret: /\b(?:ico-[a-zA-Z0-9]{32})/g },
  {
    id: 'intra42-client-secret',
    words: ['intra', 's-s4t2ud-', 's-s4t2af-'],
    secret: /\b(?:s-s4t2(?:ud|af)-[abcdef0123456789ABCDEF]{64})/g,
  },
  { id: 'linear-api-key', words: ['lin_api_'], secret: /lin_api_[a-z0-9A-Z]{40}/g },
  { id: 'maxmind-license-key', words: ['_mmk'], secret: /\b(?:[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk)/g },
  {
    id: 'microsoft-teams-webhook',
    words: ['webhook.office.com', 'webhookb2', 'incomingwebhook'],
    secret:
      /https:\/\/[a-z0-9]{1,400}\.webhook\.office\.com\/webhookb2\/[a-z0-9]{8}-(?:[a-z0-9]{4}-){3}[a-z0-9]{12}@[a-z0-9]{8}-(?:[a-z0-9]{4}-){3}[a-z0-9]{12}\/IncomingWebhook\/[a-z0-9]{32}\/[a-z0-9]{8}-(?:[a-z0-9]{4}-){3}[a-z0-9]{12}/g,
  },
  { id: 'notion-api-token', words: ['ntn_'], secret: /\b(?:ntn_[0-9]{11}[A-Za-z0-9]{32}[A-Za-z0-9]{3})/g },
  { id: 'npm-access-token', words: ['npm_'], secret: /\b(?:npm_[a-z0-9]{36})/gi },
  { id: 'octopus-deploy-api-key', words: ['api-'], secret: /\b(?:API-[A-Z0-9]{26})/g },
  {
    id: 'openai-api-key',
    words: ['t3blbkfj'],
    secret:
      /\b(?:sk-(?:proj|svcacct|admin)-(?:[A-Za-z0-9_-]{74}|[A-Za-z0-9_-]{58})T3BlbkFJ(?:[A-Za-z0-9_-]{74}|[A-Za-z0-9_-]{58})\b|sk-[a-zA-Z0-9]{20}T3BlbkFJ[a-zA-Z0-9]{20})/g,
  },
  { id: 'openshift-user-token', words: ['sha256~'], secret: /\b(?:sha256~[\w-]{43})/g },
  { id: 'perplexity-api-key', words: ['pplx-'], secret: /\b(?:pplx-[a-zA-Z0-9]{48})/g },
  { id: 'planetscale-api-token', words: ['pscale_tkn_'], secret: /\b(?:pscale_tkn_[\w=.-]{32,64})/g },
  { id: 'planetscale-oauth-token', words: ['pscale_oauth_'], secret: /\b(?:pscale_oauth_[\w=.-]{32,64})/g },
  { id: 'planetscale-password', words: ['pscale_pw_'], secret: /\b(?:pscale_pw_[\w=.-]{32,64})/gi },
  { id: 'postman-api-token', words: ['pmak-'], secret: /\b(?:PMAK-[a-f0-9A-F]{24}-[a-f0-9A-F]{34})/g },
  { id: 'prefect-api-token', words: ['pnu_'], secret: /\b(?:pnu_[a-zA-Z0-9]{36})/g },
  { id: 'pulumi-api-token', words: ['pul-'], secret: /\b(?:pul-[a-f0-9]{40})/g },
  { id: 'pypi-upload-token', words: ['pypi-ageichlwas5vcmc'], secret: /pypi-AgEIcHlwaS5vcmc[\w-]{50,1000}/g },
  { id: 'readme-api-token', words: ['rdme_'], secret: /\b(?:rdme_[a-z0-9]{70})/g },
  { id: 'rubygems-api-token', words: ['rubygems_'], secret: /\b(?:rubygems_[a-f0-9]{48})/g },
  { id: 'scalingo-api-token', words: ['tk-us-'], secret: /\b(?:tk-us-[\w-]{48})/g },
  { id: 'sendgrid-api-token', words: ['sg.'], secret: /\b(?:SG\.[a-z0-9=_.A-Z-]{66})/g },
  { id: 'sendinblue-api-token', words: ['xkeysib-'], secret: /\b(?:xkeysib-[a-f0-9]{64}-[a-z0-9A-Z]{16})/g },
  {
    id: 'sentry-org-token',
    words: ['sntrys_eyjpyxqio'],
    secret:
      /\bsntrys_eyJpYXQiO[a-zA-Z0-9+/]{10,200}(?:LCJyZWdpb25fdXJs|InJlZ2lvbl91cmwi|cmVnaW9uX3VybCI6)[a-zA-Z0-9+/]{10,200}={0,2}_[a-zA-Z0-9+/]{43}/g,
  },
  { id: 'sentry-user-token', words: ['sntryu_'], secret: /\b(?:sntryu_[a-f0-9]{64})/g },
  { id: 'settlemint-application-access-token', words: ['sm_aat'], secret: /\b(?:sm_aat_[a-zA-Z0-9]{16})/g },
  { id: 'settlemint-personal-access-token', words: ['sm_pat'], secret: /\b(?:sm_pat_[a-zA-Z0-9]{16})/g },
  { id: 'settlemint-service-access-token', words: ['sm_sat'], secret: /\b(?:sm_sat_[a-zA-Z0-9]{16})/g },
  { id: 'shippo-api-token', words: ['shippo_'], secret: /\b(?:shippo_(?:live|test)_[a-fA-F0-9]{40})/g },
  { id: 'shopify-access-token', words: ['shpat_'], secret: /shpat_[a-fA-F0-9]{32}/g },
  { id: 'shopify-custom-access-token', words: ['shpca_'], secret: /shpca_[a-fA-F0-9]{32}/g },
  { id: 'shopify-private-app-access-token', words: ['shppa_'], secret: /shppa_[a-fA-F0-9]{32}/g },
  { id: 'shopify-shared-secret', words: ['shpss_'], secret: /shpss_[a-fA-F0-9]{32}/g },
  { id: 'slack-app-token', words: ['xapp'], secret: /xapp-\d-[A-Z0-9]{1,400}-\d{1,400}-[a-z0-9]{1,400}/gi },
  { id: 'slack-bot-token', words: ['xoxb'], secret: /xoxb-[0-9]{10,13}-[0-9]{10,13}[a-zA-Z0-9-]{0,400}/g },
  {
    id: 'slack-config-access-token',
    words: ['xoxe.xoxb-', 'xoxe.xoxp-'],
    secret: /xoxe.xox[bp]-\d-[A-Z0-9]{163,166}/gi,
  },
  { id: 'slack-config-refresh-token', words: ['xoxe-'], secret: /xoxe-\d-[A-Z0-9]{146}/gi },
  { id: 'slack-legacy-bot-token', words: ['xoxb'], secret: /xoxb-[0-9]{8,14}-[a-zA-Z0-9]{18,26}/g },
  {
    id: 'slack-legacy-token',
    words: ['xoxo', 'xoxs'],
    secret: /xox[os]-\d{1,400}-\d{1,400}-\d{1,400}-[a-fA-F\d]{1,400}/g,
  },
  { id: 'slack-legacy-workspace-token', words: ['xoxa', 'xoxr'], secret: /xox[ar]-(?:\d-)?[0-9a-zA-Z]{8,48}/g },
  { id: 'slack-user-token', words: ['xoxp-', 'xoxe-'], secret: /xox[pe](?:-[0-9]{10,13}){3}-[a-zA-Z0-9-]{28,34}/g },
  {
    id: 'slack-webhook-url',
    words: ['hooks.slack.com'],
    secret: /(?:https?:\/\/)?hooks.slack.com\/(?:services|workflows|triggers)\/[A-Za-z0-9+/]{43,56}/g,
  },
  {
    id: 'sourcegraph-access-token',
    words: ['sgp_', 'sourcegraph'],
    secret: /\b(?:\b(?:sgp_(?:[a-fA-F0-9]{16}|local)_[a-fA-F0-9]{40}|sgp_[a-fA-F0-9]{40}|[a-fA-F0-9]{40})\b)/gi,
  },
  { id: 'square-access-token', words: ['sq0atp-', 'eaaa'], secret: /\b(?:(?:EAAA|sq0atp-)[\w-]{22,60})/g },
  {
    id: 'stripe-access-token',
    words: ['sk_test', 'sk_live', 'sk_prod', 'rk_test', 'rk_live', 'rk_prod'],
    secret: /\b(?:(?:sk|rk)_(?:test|live|prod)_[a-zA-Z0-9]{10,99})/g,
  },
  { id: 'twilio-api-key', words: ['sk'], secret: /SK[0-9a-fA-F]{32}/g },
  { id: 'vault-batch-token', words: ['hvb.'], secret: /\b(?:hvb\.[\w-]{138,300})/g },
  { id: 'vault-service-token', words: ['hvs.', 's.'], secret: /\b(?:(?:hvs\.[\w-]{90,120}|s\.(?:[a-z0-9A-Z]{24})))/g },
];
