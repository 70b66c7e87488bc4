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
{{- toYaml (set (deepCopy .Values.config) "clusters" $all) -}}
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
{{- end -}}
