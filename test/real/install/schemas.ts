import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ForeignObject, isForeignObject, listAt, objectAt, textAt } from '#lib/foreign.ts';
import type { ApiServer } from '../harness/api-server.ts';

/** Groups of API of which the chart can make objects, with their versions. */
const groups: readonly string[] = [
  'api/v1',
  'apis/apps/v1',
  'apis/flowcontrol.apiserver.k8s.io/v1',
  'apis/gateway.networking.k8s.io/v1',
  'apis/monitoring.coreos.com/v1',
  'apis/networking.k8s.io/v1',
  'apis/rbac.authorization.k8s.io/v1',
];

/** The schemas that `writeSchemas` wrote, as kubeconform's --schema-location. */
export const schemaLocation = (folder: string): string => `${folder}/{{.ResourceKind}}{{.KindSuffix}}.json`;

/**
 * Writes the schemas of these groups as an API server has them, as kubeconform reads them, with no field beside those that it knows. They come
 * from its OpenAPI documents (/openapi/v3), so they are those of the very version that is asked. Gives how many.
 */
export async function writeSchemas(api: ApiServer, folder: string): Promise<number> {
  await mkdir(folder, { recursive: true });
  let count = 0;
  for (const path of groups) {
    const schemas = objectAt((await api.admin.get(`/openapi/v3/${path}`)).body, 'components', 'schemas');
    const components = { schemas: closed(schemas) };
    const [, group = ''] = /^apis\/([^./]+)/.exec(path) ?? [];
    const version = path.slice(path.lastIndexOf('/') + 1);
    for (const [name, schema] of Object.entries(schemas)) {
      const kind = kindOf(schema, version);
      if (kind === null) continue;
      const file = [kind, group, version].filter((part) => part !== '').join('-');
      const whole = { $ref: `#/components/schemas/${name}`, components };
      await writeFile(join(folder, `${file.toLowerCase()}.json`), JSON.stringify(whole));
      count += 1;
    }
  }
  return count;
}

/** The kind that a schema is of in a version; null where it is a part of others. */
function kindOf(schema: unknown, version: string): string | null {
  const kinds = listAt(schema, 'x-kubernetes-group-version-kind');
  const [only] = kinds.filter((kind) => textAt(kind, 'version') === version);
  return kinds.length === 1 ? textAt(only, 'kind') : null;
}

/** The same schemas, in which an object with known fields has no others. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (!isForeignObject(value)) return value;
  const inner: ForeignObject = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, closed(each)]));
  const isOpen = value['x-kubernetes-preserve-unknown-fields'] === true || value['additionalProperties'] !== undefined;
  return isForeignObject(value['properties']) && value['type'] === 'object' && !isOpen
    ? { ...inner, additionalProperties: false }
    : inner;
}
