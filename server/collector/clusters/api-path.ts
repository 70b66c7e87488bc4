/** A path of the API below a server's URL, each part encoded. */
export function apiPath(...parts: readonly string[]): string {
  return `/${parts.map((part) => encodeURIComponent(part.toWellFormed())).join('/')}`;
}

/** The path of all objects of a resource, or of those in one namespace; the core group is ''. */
export function resourcePath(
  { group, version, resource }: { readonly group: string; readonly version: string; readonly resource: string },
  namespace: string | null = null,
): string {
  const root = group === '' ? ['api', version] : ['apis', group, version];
  return apiPath(...root, ...(namespace === null ? [] : ['namespaces', namespace]), resource);
}

/** RFC 1123, as the API server checks groups. */
const subdomain = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;
/** RFC 1035, as it checks versions and resources. */
const label = /^[a-z](?:[a-z0-9-]*[a-z0-9])?$/;

/** True for a DNS subdomain, as API groups are named. */
export function isGroupName(text: string): boolean {
  return text.length <= 253 && subdomain.test(text);
}

/** True for a DNS label, as versions and resources are named. */
export function isLabelName(text: string): boolean {
  return text.length <= 63 && label.test(text);
}
