#!/bin/sh
# Prints a kubeconfig for Plumbline of the cluster of a context of yours, by a ServiceAccount of its own there, and makes what that takes:
# a namespace, the ServiceAccount with its token, and its binding to the ClusterRole `plumbline` (`plumbline rbac`, applied before).
set -eu
umask 077

[ $# -eq 1 ] || {
  echo 'Usage: deploy/rbac/kubeconfig.sh CONTEXT > clusters/CONTEXT.yaml' >&2
  exit 64
}
context=$1
account=plumbline
token=plumbline-token
on() { kubectl --context "$context" --namespace plumbline "$@"; }

on apply --filename - >&2 <<MADE
apiVersion: v1
kind: Namespace
metadata: { name: plumbline }
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: $account, namespace: plumbline }
automountServiceAccountToken: false
---
apiVersion: v1
kind: Secret
metadata: { name: $token, namespace: plumbline, annotations: { kubernetes.io/service-account.name: $account } }
type: kubernetes.io/service-account-token
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: plumbline-outside }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: plumbline }
subjects: [{ kind: ServiceAccount, name: $account, namespace: plumbline }]
MADE

of() { on get secret "$token" --output "jsonpath={.data.$1}"; }
tries=0
while [ -z "$(of token)" ]; do
  tries=$((tries + 1))
  [ $tries -le 30 ] || {
    echo "The cluster has put no token into Secret plumbline/$token within 30 s." >&2
    exit 69
  }
  sleep 1
done
seen() { kubectl --context "$context" config view --minify --flatten --raw --output "jsonpath={.clusters[0].cluster.$1}"; }
authority=$(seen certificate-authority-data)
# The cluster says what it likes: another line of it would be one of the kubeconfig, and could name a file that is then sent there.
secret=$(of token | base64 --decode)
case $secret in
  *[!A-Za-z0-9._~+/=-]*)
    echo "What the cluster has put into Secret plumbline/$token holds more than a token." >&2
    exit 69
    ;;
esac
cat <<KUBECONFIG
apiVersion: v1
kind: Config
clusters:
  - name: cluster
    cluster:
      server: $(seen server)
${authority:+      certificate-authority-data: $authority
}users:
  - name: plumbline
    user:
      token: $secret
contexts:
  - name: cluster
    context: { cluster: cluster, user: plumbline }
current-context: cluster
KUBECONFIG
