import type { LockedPackages } from './kept-packages.ts';

/** A package of Debian of which something is in the image. */
export interface DebianPackage {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
}

/** All that the image is made of. */
export interface Ingredients {
  readonly version: string;
  /** The system as its os-release names it, e.g. debian 12. */
  readonly system: { readonly id: string; readonly version: string };
  readonly node: { readonly version: string; readonly sha256: string };
  readonly locked: LockedPackages;
  /** Folders of npm's packages, as `keptPackages` gives them. */
  readonly kept: readonly string[];
  readonly debian: readonly DebianPackage[];
}

interface Component {
  readonly type: 'library' | 'application' | 'operating-system';
  readonly name: string;
  readonly version: string;
  readonly purl?: string;
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses?: readonly { readonly expression: string }[];
}

/**
 * The bill of materials, CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/): npm's packages by package-lock.json, Debian's by dpkg, and
 * Node. It tells no time, so that the same ingredients give the same bytes.
 */
export function billOfMaterials({ version, system, node, locked, kept, debian }: Ingredients): string {
  const components: readonly Component[] = [
    { type: 'operating-system', name: system.id, version: system.version },
    {
      type: 'application',
      name: 'node',
      version: node.version,
      purl: `pkg:generic/node@${node.version}`,
      hashes: [{ alg: 'SHA-256', content: node.sha256 }],
    },
    ...debian.map((one) => debianComponent(one, system)),
    ...kept.map((path) => npmComponent(path, locked)),
  ];
  const self = { type: 'application', name: 'plumbline', version };
  const bill = { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata: { component: self }, components };
  return `${JSON.stringify(bill, null, 1)}\n`;
}

function debianComponent({ name, version, architecture }: DebianPackage, system: Ingredients['system']): Component {
  const distro = `${system.id}-${system.version}`;
  const purl = `pkg:deb/${system.id}/${name}@${encodeURIComponent(version)}?arch=${architecture}&distro=${distro}`;
  return { type: 'library', name, version, purl };
}

function npmComponent(path: string, locked: LockedPackages): Component {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const { version = '', integrity = '', license } = locked[path] ?? {};
  const [, base64] = /^sha512-([A-Za-z0-9+/=]+)$/.exec(integrity) ?? [];
  return {
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(base64 === undefined
      ? {}
      : { hashes: [{ alg: 'SHA-512', content: Buffer.from(base64, 'base64').toString('hex') }] }),
    ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
  };
}
