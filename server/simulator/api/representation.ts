import { at, parseForeign } from '#lib/foreign.ts';
import { apiVersion } from './kinds.ts';
import type { ServedKind } from './kinds.ts';
import type { StoredObject } from './object-store.ts';

/** Form in which objects are sent: whole, or as PartialObjectMetadata where the client asks for that. */
export interface Representation {
  readonly listKind: string;
  readonly listApiVersion: string;
  readonly objectKind: string;
  readonly objectApiVersion: string;
  /** Null where the stored bytes are sent as they are, so that all clients share them. */
  readonly convert: ((object: StoredObject) => Buffer) | null;
}

function metadataOnly(object: StoredObject): Buffer {
  const metadata = at(parseForeign(object.json().toString()), 'metadata');
  return Buffer.from(JSON.stringify({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata }));
}

/** Chooses by the Accept header. */
export function representationOf(kind: ServedKind, accept: string): Representation {
  if (/as=PartialObjectMetadata(List)?\b/.test(accept)) {
    return {
      listKind: 'PartialObjectMetadataList',
      listApiVersion: 'meta.k8s.io/v1',
      objectKind: 'PartialObjectMetadata',
      objectApiVersion: 'meta.k8s.io/v1',
      convert: metadataOnly,
    };
  }
  const version = apiVersion(kind);
  return {
    listKind: `${kind.kind}List`,
    listApiVersion: version,
    objectKind: kind.kind,
    objectApiVersion: version,
    convert: null,
  };
}

/** The bytes of one object in a representation. */
export function bytesOf(object: StoredObject, representation: Representation): Buffer {
  return representation.convert ? representation.convert(object) : object.json();
}
