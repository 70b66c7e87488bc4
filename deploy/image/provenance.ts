/** Where an image comes from. */
export interface Origin {
  /** The base as it was named, with its digest. */
  readonly base: string;
  /** The commit that was built; null where nobody said it. */
  readonly revision: string | null;
  /** SHA-256 of package-lock.json. */
  readonly lock: string;
  /** SHA-256 of the list of all files with their digests. */
  readonly files: string;
}

/** The name and digest of a base, or why it is none: it must be named by what it holds, for a tag moves. */
export function baseDigest(base: string): { readonly name: string; readonly sha256: string } | null {
  const [, name, sha256] = /^([\w./:-]{1,300})@sha256:([0-9a-f]{64})$/.exec(base) ?? [];
  return name === undefined || sha256 === undefined ? null : { name, sha256 };
}

/**
 * Provenance as an in-toto statement with the predicate of SLSA 1 (https://slsa.dev/spec/v1.0/provenance). It is about the list of files
 * in the image, for an image cannot name its own digest. It is not signed: sign the image. Throws where the base has no digest.
 */
export function provenanceOf({ base, revision, lock, files }: Origin): string {
  const found = baseDigest(base);
  if (found === null) throw new Error(`the base "${base}" has no digest`);
  const source = revision === null ? [] : [{ uri: 'git+plumbline', digest: { gitCommit: revision } }];
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'usr/share/plumbline/files.sha256', digest: { sha256: files } }],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'https://plumbline.example/deploy/image/Dockerfile@v1',
        externalParameters: { BASE: base, ...(revision === null ? {} : { REVISION: revision }) },
        resolvedDependencies: [
          { uri: `oci://${found.name}`, digest: { sha256: found.sha256 } },
          { uri: 'file:package-lock.json', digest: { sha256: lock } },
          ...source,
        ],
      },
    },
  };
  return `${JSON.stringify(statement, null, 1)}\n`;
}
