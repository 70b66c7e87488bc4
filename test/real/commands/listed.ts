/** Commands of the documents that are run on a fresh clone against real API servers, in the order in which they are. */
export const played = [
  './plumbline rbac --context eu-west-3 | kubectl --context eu-west-3 apply -f -',
  'kubectl --context eu-west-3 apply -f deploy/rbac/clusterrolebinding.yaml',
  'npm start',
  'npm run build',
  'npm start -- --context eu-west-3,us-east-2',
  './plumbline check --context eu-west-3',
  'npm start -- --config plumbline.yaml',
  './plumbline start --config plumbline.yaml --dry-run',
  './plumbline report --period last-month --output drift.html --url https://plumbline.example.org',
  './plumbline rules --output alarms',
  './plumbline rules --cluster eu-west-3 --output alarms/eu-west-3',
  './plumbline rules --format prometheus --output alarms',
  './plumbline link --new-key',
  './plumbline link --scope fleet --url https://plumbline.example.org',
  './plumbline link --scope cluster:eu-west-3 --badge --expires 30d',
  './plumbline links',
  './plumbline links --revoke 5b0c9a4e7d21f386',
  './plumbline backup --output /backup/2026-11-24',
  './plumbline restore --from /backup/2026-11-24 --replace',
  'kubectl create namespace plumbline',
  'helm install plumbline deploy/chart --namespace plumbline --create-namespace --values values.yaml',
  'helm upgrade plumbline deploy/chart --namespace plumbline --values values.yaml',
  'helm template plumbline deploy/chart --namespace plumbline --values values.yaml > plumbline.yaml',
  'helm package deploy/chart',
  'kubectl --namespace plumbline create secret generic plumbline-clusters --from-file=clusters/',
  'kubectl --namespace plumbline create secret generic plumbline-clusters --from-file=clusters/ --dry-run=client --output yaml | kubectl replace -f -',
  'kubectl --namespace plumbline create secret generic plumbline-scrape --from-literal=token=$(openssl rand -hex 32)',
  'kubectl apply -k deploy/base',
  './plumbline rbac > deploy/rbac/clusterrole.yaml',
  'npm run demo',
] as const;

/** One of them. */
export type Played = (typeof played)[number];

const needsAuth = 'it is for a Plumbline with auth, of which there is none there: server/cli/access plays it';
const runsTests = 'it runs the tests, of which this one is';
const madeUp = 'its commit is made up: the chapter "outgoing" of the book plays it with real ones';
const forOperator = 'it is for a cluster with the Prometheus operator, of which there is none here';
const withDocker = 'it asks a daemon: test/real/install.test.ts builds the image by the same file with buildah';
const ofTheMachine = 'it changes the users and services of a machine';
const byRemote = 'test/real/install-remote.test.ts plays it';
const inThePod =
  'it asks a kubelet, of which there is none here: test/real/install.test.ts runs its program in the image';
const restores = 'it is a step of a restore in the pod: test/integration/backup plays the restore';
const forWork =
  'it is for who changes Plumbline: it takes the tools of the tests, and a Node that is new enough by itself';

/** Commands of the documents that are not run there, each with its reason. */
export const excused: ReadonlyMap<string, string> = new Map([
  ['kubectl --namespace plumbline create secret generic plumbline-auth --from-file=client-secret', needsAuth],
  ['./plumbline session-key --list', needsAuth],
  ['./plumbline session-key --new', needsAuth],
  ['./plumbline session-key --revoke 5b0c9a4e', needsAuth],
  ['./plumbline token --new grafana --grant clusters=eu-west-3 --expires 30d', needsAuth],
  [
    "./plumbline token --new ci --grant team:payments 'labels=environment=staging;namespaces=web' --expires 90d",
    needsAuth,
  ],
  ['./plumbline token --list', needsAuth],
  ['./plumbline token --revoke 0123456789ab', needsAuth],
  ['npm test', runsTests],
  ['npm run verify', runsTests],
  ['PLUMBLINE_REAL_ONLY=fights,hands npm run test:real', runsTests],
  ['node node_modules/vitest/vitest.mjs run --project unit lib/domain/verdict/judge.test.ts', forWork],
  ['node node_modules/vitest/vitest.mjs run --project ui components/matrix', forWork],
  ['node node_modules/vitest/vitest.mjs run --project e2e test/e2e/fleet.test.ts', forWork],
  ['node test/ui-preview/main.ts', forWork],
  [
    'node node_modules/vitest/vitest.mjs run --project unit server/collector/reconcilers/<name> server/collector/reconcilers/registry.test.ts',
    'NAME is the reconciler that somebody adds',
  ],
  ['./plumbline check --commit 2d81a0c4a0c4 --wait 15m', madeUp],
  ['./plumbline check --commit 2d81a0c4a0c4 --wait 15m --url https://plumbline.example.org', madeUp],
  [
    'docker build -f deploy/image/Dockerfile -t registry.example.org/plumbline:0.1.0 --build-arg BASE=docker.io/library/node:26-trixie-slim@sha256:<digest> --build-arg REVISION=$(git rev-parse HEAD) .',
    withDocker,
  ],
  ['docker push registry.example.org/plumbline:0.1.0', 'it asks a registry, of which there is none here'],
  ['docker save registry.example.org/plumbline:0.1.0 | gzip > plumbline-0.1.0.tar.gz', withDocker],
  [
    'kubectl --namespace plumbline port-forward deployment/plumbline 3000:3000',
    'it asks a kubelet, of which there is none here',
  ],
  ['useradd --system --home-dir /var/lib/plumbline --shell /usr/sbin/nologin plumbline', ofTheMachine],
  ['install -d -o plumbline -g plumbline -m 0700 /var/lib/plumbline', ofTheMachine],
  ['install -m 0644 deploy/systemd/plumbline.service /etc/systemd/system/plumbline.service', ofTheMachine],
  ['systemctl enable --now plumbline', ofTheMachine],
  ['install -d -o root -g plumbline -m 0750 /etc/plumbline /etc/plumbline/clusters', ofTheMachine],
  ['install -o root -g plumbline -m 0640 clusters/* /etc/plumbline/clusters/', ofTheMachine],
  ['install -o root -g plumbline -m 0640 plumbline.yaml /etc/plumbline/plumbline.yaml', ofTheMachine],
  ['systemctl stop plumbline', ofTheMachine],
  ['systemctl start plumbline', ofTheMachine],
  ['git pull', 'the clone is of what is being changed, and has nobody to pull from'],
  ['mkdir -m 0700 clusters', 'the folder is there by then'],
  ['deploy/rbac/kubeconfig.sh eu-west-3 > clusters/eu-west-3.yaml', byRemote],
  [
    'kubectl --context eu-west-3 create clusterrolebinding plumbline-remote --clusterrole=plumbline --user=management:system:serviceaccount:plumbline:plumbline',
    byRemote,
  ],
  [
    'kubectl create clusterrolebinding plumbline-issuer --clusterrole=system:service-account-issuer-discovery --group=system:unauthenticated',
    byRemote,
  ],
  [
    'kubectl --namespace plumbline exec deployment/plumbline --container collector -- node server/cli/plumbline.ts backup --output /var/lib/plumbline/backup',
    inThePod,
  ],
  [
    `kubectl --namespace plumbline exec deployment/plumbline --container collector -- node --eval "fs.createReadStream('/var/lib/plumbline/backup/plumbline.db').pipe(process.stdout)" > plumbline.db`,
    inThePod,
  ],
  [
    `kubectl --namespace plumbline exec deployment/plumbline --container collector -- node --eval "fs.rmSync('/var/lib/plumbline/backup', { recursive: true })"`,
    inThePod,
  ],
  ['kubectl --namespace plumbline scale deployment plumbline --replicas=0', restores],
  ['kubectl apply -f maintenance.yaml', 'test/real/install.test.ts has an API server take its pod'],
  [
    `kubectl --namespace plumbline exec --stdin plumbline-maintenance -- node --eval "fs.mkdirSync('/var/lib/plumbline/backup', { recursive: true }); process.stdin.pipe(fs.createWriteStream('/var/lib/plumbline/backup/plumbline.db'))" < plumbline.db`,
    inThePod,
  ],
  [
    'kubectl --namespace plumbline exec plumbline-maintenance -- node server/cli/plumbline.ts restore --from /var/lib/plumbline/backup --replace',
    inThePod,
  ],
  ['kubectl --namespace plumbline delete pod plumbline-maintenance', restores],
  ['kubectl --namespace plumbline scale deployment plumbline --replicas=1', restores],
  ['npm start -- --context NAME', "it is README's with the name of a context"],
  [
    './plumbline rules --check',
    'it asks a Prometheus, of which there is none here: test/integration plays it with the demo',
  ],
  ['CRON_TZ=UTC', 'it is a line of cron'],
  [
    '15 6 1 * * /opt/plumbline/plumbline report --period last-month --output /tmp/drift.html --url https://plumbline.example.org && mail -a /tmp/drift.html -s "Drift report" platform@example.org < /dev/null',
    'it is a line of cron, and sends mail; its report is run without them',
  ],
  ['kubectl --context eu-west-3 --namespace monitoring apply -f alarms/eu-west-3', forOperator],
  [
    'kubectl --context eu-west-3 --namespace monitoring label prometheusrule plumbline-fleet release=monitoring',
    forOperator,
  ],
  [
    'kubectl --context eu-west-3 create clusterrolebinding plumbline-kube-state-metrics --clusterrole=plumbline-kube-state-metrics --serviceaccount=monitoring:monitoring-kube-state-metrics',
    forOperator,
  ],
]);
