import { describe, expect, it } from 'vitest';
import { recordedObjects, recordedTimeline } from '#test/fixtures/recorded.ts';
import { isForeignObject } from '#lib/foreign.ts';
import { redact } from '#lib/domain/observation/redact.ts';

const commit = 'ab00a320eb789dbf2deff7bf3de6752bfc745ba4';
const digest = `${commit}0123456789abcdef01234567`;

/** Messages that look as if they held a secret, and hold what people need to read. */
const readable: readonly (readonly [string, string])[] = [
  ['a commit', commit],
  ['a revision', `Applied revision: main@sha1:${commit}`],
  ['a revision of a tag', `stored artifact for revision 'v1.2.3@sha1:${commit}'`],
  ['a revision of an OCI artifact', `stored artifact with revision 'latest@sha256:${digest}'`],
  ['a revision of a file system', `sha512:${digest}${digest}`],
  [
    'a commit in an address',
    `see https://github.com/kubernetes/enhancements/blob/${commit}/keps/sig-arch/3136-beta/README.md`,
  ],
  [
    'an archive by its commit',
    `GET http://source-controller.flux-system.svc/gitrepository/flux-system/apps/${commit}.tar.gz`,
  ],
  ['an image', 'Back-off pulling image "ghcr.io/acme/orders:v1.2.3"'],
  ['an image with its digest', `Failed to pull image "ghcr.io/acme/orders:v1.2.3@sha256:${digest}": not found`],
  ['an image without a registry', `image nginx:1.27@sha256:${digest} is not allowed`],
  ['a chart', 'Helm install succeeded for release apps/orders.v3 with chart orders@1.2.3+4b1d9c9'],
  ['a time on a node', 'evicted 10:30@node-1'],
  ['an address of a mailbox', 'certificate for mailto:admin@example.org is not valid'],
  ['a repository by SSH', 'unable to clone git@github.com:acme/control.git: no such host'],
  ['a port and a path with @', 'GET https://registry.example.org:5000/v2/acme/orders@v1 failed'],
  ['a module by its version', 'cannot load https://proxy.example.org/k8s.io/api/@v/v0.34.3.mod'],
  ['a port', 'parse "https://example.org:80443/x": invalid port ":80443" after host'],
  ['the name of a Secret', 'Secret "db-credentials" not found'],
  ['the names of Secrets', 'secrets "api-token", "db-password" are forbidden: User cannot list resource "secrets"'],
  ['a Secret that is not there', 'cannot get Secret: secrets "aws-creds" not found'],
  ['a Secret that is not there', 'failed to get secret \'flux-system/git-token\': Secret "git-token" not found'],
  ['the name of a Secret in a field', 'spec.secretRef: not found, secretName: db-credentials-tls'],
  ['a path to a token', 'open /var/run/secrets/kubernetes.io/serviceaccount/token: no such file or directory'],
  ['a path to a token', 'tokenFile: /var/run/secrets/token is not readable'],
  [
    'what went wrong with a token',
    'failed to get token: Post "https://login.example.org/oauth2/token": dial tcp: i/o timeout',
  ],
  ['what went wrong with a token', 'token: oauth2: cannot fetch token: 401 Unauthorized'],
  ['what went wrong with a token', 'failed to refresh token: 403: denied'],
  ['what went wrong with credentials', 'cannot get credentials: cannot load file'],
  ['what went wrong with credentials', 'credentials: AccessDenied: User is not authorized to perform sts:AssumeRole'],
  ['what went wrong with a password', 'invalid password: must be at least 12 characters'],
  ['what a password is for', 'password authentication failed for user "orders"'],
  ['a field about tokens', 'automountServiceAccountToken: false'],
  ['a number of tokens', 'rate limited: tokens=3, burst=10'],
  ['an authorization that failed', 'authorization: access denied by policy'],
  ['an authorization mode', 'the server requires bearer authentication and basic auth over TLS'],
  ['a group of the API', 'RoleBinding.rbac.authorization.k8s.io "reader" is forbidden'],
  ['a pass of a loop', 'superseded by a new pass: busy, with what went before'],
  ['a result of tests', 'tests: pass: 12, fail: 1'],
  ['the name of an Event', 'node12.18e9ff0cc9259529 of Node node12 was refused'],
  ['a compass', 'compass: north, bypass=none'],
  ['a signal', 'terminated by signal: killed'],
  ['a sort key', 'SORT_KEY=name, PUBLIC_KEY=below'],
  ['metadata', '{"kind":"ConfigMap","metadata":{"name":"x","namespace":"apps"},"spec":{}}'],
  ['a refused name', 'metadata.name: Invalid value: "My_Orders": a lowercase RFC 1123 subdomain must consist of'],
  ['a refused label', 'metadata.labels: Invalid value: "a b": a valid label must be'],
  ['a refused image', 'spec.containers[0].image: Invalid value: " nginx": must not have leading whitespace'],
  ['a refused number', 'spec.replicas: Invalid value: -1: must be greater than or equal to 0'],
  ['a refused type', 'spec.path: Invalid value: "integer": spec.path in body must be of type string: "integer"'],
  ['a refused object', 'spec: Invalid value: "object": no such key: size evaluating rule'],
  [
    'a refused selector',
    'spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string{"app":"x"}}: field is immutable',
  ],
  ['a refused policy', 'spec.deletionPolicy: Unsupported value: "Keep": supported values: "Delete", "Orphan"'],
  ['a refused version', 'resourceVersion: Invalid value: "12x": strconv.ParseUint: parsing "12x": invalid syntax'],
  ['a long name', 'CustomResourceDefinition/ec2-transitgatewaymulticastdomainassociations.aws.upbound.io configured'],
  ['a name of a Pod', 'Pod/kube-system/coredns-5d78c9869d-x7k2p is not ready'],
  ['a name of a resource of a cloud', 'arn:aws:iam::123456789012:role/CrossplaneProviderAWS is not assumable'],
  ['an id of a request', 'RequestID: 3b2f1c9e-5a77-4f0e-9a41-2f4f7c1f9e11, api error AccessDenied'],
  ['a template that fails', 'execution error at (orders/templates/secret.yaml:5:12): auth.password: required value'],
  ['a template that fails', 'executing "x" at <.Values.auth.password>: nil pointer evaluating interface {}.password'],
  ['a Secret of a cloud', 'GetSecretValue of arn:aws:secretsmanager:eu-west-3:123456789012:secret:db-AbCdEf is denied'],
  ['a path of Vault', 'secret: secret/data/apps/orders not found'],
  ['a refused host', 'spec.rules[0].host: Invalid value: "Foo_Bar": a lowercase RFC 1123 subdomain must consist of'],
  ['a refused algorithm', 'spec.privateKey.algorithm: Unsupported value: "RSA2": supported values: "RSA", "ECDSA"'],
  ['a refused list', 'spec.clusterIPs[0]: Invalid value: []string(nil): primary clusterIP can not be unset'],
  ['no data', 'data: {} is empty'],
  ['a path', 'open /tmp/kustomization-4223569809/clusters/production/badbuild/missing.yaml: no such file or directory'],
  [
    'a path of long names',
    'Observability/Prometheus-Operator/Production3/Alertmanager-Config-Overrides/README is missing',
  ],
  ['escaped JSON', 'preparing upgrade: {\\"name\\":\\"orders\\",\\"namespace\\":\\"apps\\",\\"version\\":3}'],
  ['a cookie that is not there', 'cookie: named cookie not present'],
  ['a code of gRPC', 'rpc error: code = FailedPrecondition desc = Failed to unmarshal "broken.yaml"'],
  ['a Go type', 'cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container'],
  ['a key of a map', 'invalid key "orders"'],
  ['a reference to a Secret', '"credentials":{"source":"Secret","secretRef":{"name":"db","key":"password"}}'],
  ['a reference to a Secret', 'volumes: [{"secret":{"secretName":"db"}}]'],
  ['a variable', 'password: ${DB_PASSWORD}, token: $TOKEN'],
  ['a plan that says nothing', 'password = (known after apply)'],
  ['a duplicate name', 'spec.containers[0].ports[1].name: Duplicate value: "http"'],
  ['server-side apply of labels', 'metadata.labels: expected map, got &{x}'],
  ['an option of another program', 'redis-cli ping -all'],
  ['an option of another program', 'mongodump --port 27017 -pretty'],
  ['a way that leads to a password', 'redirected from password to login'],
  ['a hook of git', 'remote: error: hook declined: /srv/git/control.git/hooks/pre-receive failed'],
  ['a path behind a time', 'written 10:30@/var/log/x'],
  ['a dashed sentence', 'the flag --token-file is required, --token is not set'],
];

describe('what is no secret', () => {
  it.each(readable)('%s stays readable: %s', (_kind, text) => {
    expect(redact(text)).toBe(text);
  });

  it('of every message, reason, revision and address that real controllers were recorded with stays readable', () => {
    const lines = ['flux', 'helm-crossplane', 'conflicts', 'argocd'].flatMap((name) => recordedTimeline(name));
    const texts = new Set([...recordedObjects(), ...lines].flatMap(({ object }) => textsOf(object, '')));
    expect(texts.size).toBeGreaterThan(700);
    expect([...texts].filter((text) => redact(text) !== text)).toEqual([]);
  });
});

function textsOf(value: unknown, key: string): string[] {
  if (typeof value === 'string')
    return /message|reason|note|revision|image|url|path|name|digest/i.test(key) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((entry) => textsOf(entry, key));
  return isForeignObject(value) ? Object.entries(value).flatMap(([inner, entry]) => textsOf(entry, inner)) : [];
}
