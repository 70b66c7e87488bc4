import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { stringify } from 'yaml';
import { tarOf } from './archive.ts';
import type { ArtifactServer } from './artifact-server.ts';

const manifestType = 'application/vnd.oci.image.manifest.v1+json';

/** Image pushed to the registry: one layer of files. */
interface Image {
  readonly files: { readonly [path: string]: string };
  readonly configType: string;
  readonly layerType: string;
  readonly layerAnnotations?: { readonly [key: string]: string };
  readonly annotations?: { readonly [key: string]: string };
}

/** Publishes files as Flux's `flux push artifact` does, made from a git revision such as main@sha1:HEX. Gives the digest. */
export function publishFluxArtifact(
  server: ArtifactServer,
  repository: string,
  tag: string,
  options: { readonly files: Image['files']; readonly source: string; readonly revision: string },
): Promise<string> {
  return publish(server, repository, tag, {
    files: options.files,
    configType: 'application/vnd.cncf.flux.config.v1+json',
    layerType: 'application/vnd.cncf.flux.content.v1.tar+gzip',
    annotations: {
      'org.opencontainers.image.created': '2026-01-01T00:00:00Z',
      'org.opencontainers.image.source': options.source,
      'org.opencontainers.image.revision': options.revision,
    },
  });
}

/** Publishes a Crossplane package that brings these CRDs (YAML), as a Provider of that name. Gives the digest. */
export function publishProviderPackage(
  server: ArtifactServer,
  name: string,
  tag: string,
  crds: readonly string[],
): Promise<string> {
  const meta = stringify({ apiVersion: 'meta.pkg.crossplane.io/v1', kind: 'Provider', metadata: { name } });
  return publish(server, name, tag, {
    files: { 'package.yaml': [meta, ...crds].join('\n---\n') },
    configType: 'application/vnd.oci.image.config.v1+json',
    layerType: 'application/vnd.oci.image.layer.v1.tar+gzip',
    layerAnnotations: { 'io.crossplane.xpkg': 'base' },
  });
}

/** A chart of a chart repository: its files below the chart's name. */
export interface PublishedChart {
  readonly name: string;
  readonly version: string;
  readonly files: { readonly [path: string]: string };
}

/** Publishes charts under /charts with their index; the index that was there is replaced. */
export async function publishCharts(server: ArtifactServer, charts: readonly PublishedChart[]): Promise<void> {
  const entries: { [name: string]: unknown[] } = {};
  for (const { name, version, files } of charts) {
    const named = Object.entries(files).map(([path, content]) => [`${name}/${path}`, content] as const);
    const archive = gzipSync(await tarOf(Object.fromEntries(named)));
    const file = `${name}-${version}.tgz`;
    server.put(`/charts/${file}`, { type: 'application/gzip', body: archive });
    const digest = createHash('sha256').update(archive).digest('hex');
    (entries[name] ??= []).push({ apiVersion: 'v2', name, version, urls: [file], digest });
  }
  const index = stringify({ apiVersion: 'v1', entries, generated: '2026-01-01T00:00:00Z' });
  server.put('/charts/index.yaml', { type: 'application/yaml', body: Buffer.from(index) });
}

async function publish(server: ArtifactServer, repository: string, tag: string, image: Image): Promise<string> {
  const tar = await tarOf(image.files);
  const layer = blob(server, repository, image.layerType, gzipSync(tar));
  const config = blob(
    server,
    repository,
    image.configType,
    Buffer.from(
      JSON.stringify({
        architecture: 'amd64',
        os: 'linux',
        config: {},
        rootfs: { type: 'layers', diff_ids: [digestOf(tar)] },
      }),
    ),
  );
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: manifestType,
      config,
      layers: [{ ...layer, ...(image.layerAnnotations === undefined ? {} : { annotations: image.layerAnnotations }) }],
      ...(image.annotations === undefined ? {} : { annotations: image.annotations }),
    }),
  );
  const digest = digestOf(manifest);
  for (const reference of [tag, digest])
    server.put(`/v2/${repository}/manifests/${reference}`, { type: manifestType, body: manifest, digest });
  return digest;
}

function blob(
  server: ArtifactServer,
  repository: string,
  mediaType: string,
  body: Buffer,
): { readonly mediaType: string; readonly digest: string; readonly size: number } {
  const digest = digestOf(body);
  server.put(`/v2/${repository}/blobs/${digest}`, { type: 'application/octet-stream', body, digest });
  return { mediaType, digest, size: body.byteLength };
}

function digestOf(body: Buffer): string {
  return `sha256:${createHash('sha256').update(body).digest('hex')}`;
}
