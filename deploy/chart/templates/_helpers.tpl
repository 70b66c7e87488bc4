{{- define "plumbline.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 52 | trimSuffix "-" -}}
{{- else if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* The name of what is of no namespace: another release, and the role for who reads from outside (deploy/rbac), are others. */}}
{{- define "plumbline.clusterWide" -}}
{{ .Release.Namespace }}-{{ include "plumbline.fullname" . }}
{{- end -}}

{{- define "plumbline.selector" -}}
app.kubernetes.io/name: plumbline
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "plumbline.labels" -}}
{{ include "plumbline.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end -}}

{{- define "plumbline.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "plumbline.claim" -}}
{{ .Values.persistence.existingClaim | default (include "plumbline.fullname" .) }}
{{- end -}}

{{/* plumbline.yaml: the clusters that the chart knows, then those of `config`. */}}
{{- define "plumbline.config" -}}
{{- $clusters := list -}}
{{- with .Values.clusters -}}
{{- if .inCluster.enabled -}}
{{- $clusters = append $clusters (dict "name" .inCluster.name "kubeconfig" "/etc/plumbline-known/this-cluster.yaml") -}}
{{- end -}}
{{- range .remote -}}
{{- $one := dict "name" .name "kubeconfig" (printf "/etc/plumbline-known/remote-%s.yaml" .name) -}}
{{- if .labels -}}{{- $_ := set $one "labels" .labels -}}{{- end -}}
{{- $clusters = append $clusters $one -}}
{{- end -}}
{{- if .kubeconfigSecrets -}}
{{- $clusters = append $clusters (dict "directory" "/etc/plumbline-clusters") -}}
{{- end -}}
{{- end -}}
{{- $all := concat $clusters (.Values.config.clusters | default list) -}}
{{- if not $all -}}
{{- fail "No cluster is named: set clusters.inCluster.enabled, clusters.kubeconfigSecrets, clusters.remote or config.clusters." -}}
{{- end -}}
{{- if and .Values.config.auth (not .Values.config.publicUrl) -}}
{{- fail "config.auth needs config.publicUrl: people come back there from their login." -}}
{{- end -}}
{{- $names := list -}}
{{- range $all -}}
{{- if .name -}}
{{- if has .name $names -}}{{- fail (printf "Two clusters are named %q, of those under clusters and config.clusters." .name) -}}{{- end -}}
{{- $names = append $names .name -}}
{{- end -}}
{{- end -}}
{{- include "plumbline.mounted" . -}}
{{- toYaml (set (deepCopy .Values.config) "clusters" $all) -}}
{{- end -}}

{{/* What `config` names as a file of a Secret must be mounted. */}}
{{- define "plumbline.mounted" -}}
{{- $config := toJson .Values.config -}}
{{- $secrets := dict "/etc/plumbline-auth/" (list "web.authSecret" .Values.web.authSecret) "/etc/plumbline-links/" (list "web.linksSecret" .Values.web.linksSecret) -}}
{{- if .Values.git.enabled -}}
{{- $_ := set $secrets "/etc/plumbline-repositories/" (list "git.repositoriesSecret" .Values.git.repositoriesSecret) -}}
{{- end -}}
{{- range $folder, $of := $secrets -}}
{{- if and (contains $folder $config) (not (last $of)) -}}
{{- fail (printf "config names a file of %s, and %s names no Secret: it is mounted there." $folder (first $of)) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Ports that the pod may reach beside name servers, as JSON: those that are given, and those of the addresses that the values name. */}}
{{- define "plumbline.egressPorts" -}}
{{- $addresses := list -}}
{{- range .Values.clusters.remote -}}{{- $addresses = append $addresses .server -}}{{- end -}}
{{- with .Values.config -}}
{{- range .alarms -}}
{{- $addresses = concat $addresses (kindIs "slice" .alertmanager | ternary .alertmanager (list .alertmanager)) (list .prometheus) -}}
{{- end -}}
{{- range .repositories -}}{{- $addresses = append $addresses (.from | default .url) -}}{{- end -}}
{{- with .auth -}}
{{- with .oidc -}}{{- $addresses = append $addresses .issuer -}}{{- end -}}
{{- with .proxy -}}{{- $addresses = append $addresses .jwks -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- $ports := list -}}
{{- range .Values.networkPolicy.egressPorts -}}{{- $ports = append $ports (int .) -}}{{- end -}}
{{- range $addresses -}}
{{- $address := . | default "" -}}
{{- $host := regexFind "^(https?|ssh)://[^/]+" $address -}}
{{- $port := regexFind ":[0-9]{1,5}$" $host | trimPrefix ":" -}}
{{- if $port -}}{{- $ports = append $ports (int $port) -}}
{{- else if hasPrefix "https://" $host -}}{{- $ports = append $ports 443 -}}
{{- else if hasPrefix "http://" $host -}}{{- $ports = append $ports 80 -}}
{{- else if or (hasPrefix "ssh://" $host) (regexMatch "^[^/:]+@[^/:]+:" $address) -}}{{- $ports = append $ports 22 -}}
{{- end -}}
{{- end -}}
{{- uniq $ports | toJson -}}
{{- end -}}

{{- define "plumbline.lockedDown" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* The kubelet asks for these itself: no process is started in a container. */}}
{{- define "plumbline.probes" -}}
startupProbe:
  httpGet: { path: /healthz, port: {{ . }} }
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 24
livenessProbe:
  httpGet: { path: /healthz, port: {{ . }} }
  periodSeconds: 30
  timeoutSeconds: 10
{{- end -}}

{{/* "true" where the pages are bound to the pod's own addresses: they ask who comes themselves, and no proxy beside them does. */}}
{{- define "plumbline.opened" -}}
{{- if and .Values.config.auth (not .Values.proxy.enabled) -}}true{{- end -}}
{{- end -}}

{{/* What opens the pages to others needs somebody who asks who they are, and links need the address by which people come. */}}
{{- define "plumbline.served" -}}
{{- if not (or .Values.proxy.enabled .Values.config.auth) -}}
{{- fail "ingress and gateway need config.auth or proxy.enabled: without both nobody asks who comes, and the pages are bound to loopback." -}}
{{- end -}}
{{- if not .Values.config.publicUrl -}}
{{- fail "ingress and gateway need config.publicUrl: pages are answered under its host alone." -}}
{{- end -}}
{{- $host := (urlParse .Values.config.publicUrl).hostname -}}
{{- $any := regexReplaceAll "^[^.]+" $host "*" -}}
{{- $named := dict "ingress.hosts" .Values.ingress.hosts "gateway.hostnames" .Values.gateway.hostnames -}}
{{- range $value, $hosts := $named -}}
{{- if and $hosts (not (or (has $host $hosts) (has $any $hosts))) -}}
{{- fail (printf "%s has not %s, the host of config.publicUrl: pages are answered under that host alone." $value $host) -}}
{{- end -}}
{{- end -}}
{{- end -}}
