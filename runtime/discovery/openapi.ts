/**
 * Serves the OpenAPI documents with ETags. Builds a document on demand, and keeps its bytes until its resources change.
 */
import { createNegotiator } from '../codec/negotiation.js';
import { encodeOpenApiV2Protobuf, openApiV2ProtobufType } from '../codec/protobuf/openapi-v2.js';
import { encodeOpenApiV3Protobuf, openApiV3ProtobufType } from '../codec/protobuf/openapi-v3.js';
import { methodNotSupported } from '../objects/status.js';
import { type MaybePromise, thenSync } from '../objects/turns.js';
import type { Registry } from '../registry/registry.js';
import type { ApiRequest, ApiResponse } from '../request/api-request.js';
import { answerFailure } from '../request/responses.js';
import { loadAll, type ServedResource } from '../resource/served-resource.js';
import {
  buildOpenApiV2,
  buildOpenApiV3,
  buildOpenApiV3Index,
  encodeOpenApiJson,
  mergeOpenApiV2,
  type OpenApiOptions,
  openApiV3Paths,
} from '../schema/openapi/index.js';
import { hashOf, tagged, textNotFound } from './documents.js';
import { type RemoteApis, type RemoteVersion, remoteVersions } from './remote-apis.js';

/** The documents of one registry. */
export class OpenApiDocuments {
  readonly #registry: Registry;
  readonly #options: OpenApiOptions;
  readonly #remote: RemoteApis | undefined;
  /** The resources with loaded schemas. */
  #loaded: readonly ServedResource[] | undefined;
  readonly #documents = new Map<string, KeptDocument>();

  /** `remote` has the versions that other servers answer for. */
  constructor(registry: Registry, options: OpenApiOptions, remote?: RemoteApis) {
    this.#registry = registry;
    this.#options = options;
    this.#remote = remote;
  }

  /** Answers a path below `/openapi/`. */
  answer(request: ApiRequest): MaybePromise<ApiResponse> {
    const name = request.path.slice('/openapi/'.length);
    const elsewhere = this.#remoteOf(name);
    if (elsewhere) return elsewhere.answerOpenApi(request);
    const negotiate = negotiatorOf(name);
    if (!negotiate) return textNotFound();
    const { accept } = request.headers;
    const negotiated = negotiate(typeof accept === 'string' ? accept : undefined);
    if (!negotiated.ok) return answerFailure(undefined, negotiated.failure);
    const { type } = negotiated.value;
    return thenSync(this.#load(), () => {
      const document = this.#document(name, type);
      if (!document) return textNotFound();
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      return isRead ? send(request, document) : answerFailure(undefined, methodNotSupported());
    });
  }

  /** Returns the version of another server that a document is about, if any. */
  #remoteOf(name: string): RemoteVersion | undefined {
    const [document, root, group = '', version = '', ...rest] = name.split('/');
    if (document !== 'v3' || root !== 'apis' || rest.length > 0 || this.#registry.hasVersion(group, version)) return;
    return this.#remote?.find(group, version);
  }

  /** Loads the schemas of all resources, because any document may refer to a kind of another group. */
  #load(): MaybePromise<void> {
    const { resources, subresourceKinds } = this.#registry;
    if (this.#loaded === resources) return undefined;
    const modules = [...resources, ...subresourceKinds].map(({ module }) => module);
    return thenSync(loadAll(modules), () => {
      this.#loaded = resources;
    });
  }

  /** Returns a document, and keeps it until its resources change. Names that do not exist are not kept. */
  #document(name: string, type: string): Document | undefined {
    const key = `${type} ${name}`;
    const resources = this.#resourcesOf(name);
    const known = this.#documents.get(key);
    const remote = name === 'v2' || name === 'v3' ? this.#remote?.versions : undefined;
    if (known && known.remote === remote && isSame(known.resources, resources)) return known.document;
    const document = this.#build(name, type);
    if (document) this.#documents.set(key, { document, resources, remote });
    else this.#documents.delete(key);
    return document;
  }

  /**
   * Returns the resources that a document depends on: all resources, or the resources of its group version. Documents
   * of built-in kinds refer only to built-in kinds.
   */
  #resourcesOf(name: string): readonly ServedResource[] {
    const { resources } = this.#registry;
    if (name === 'v2' || name === 'v3') return resources;
    const [root, group = '', version] = name.slice('v3/'.length).split('/');
    const apiVersion = root === 'api' ? group : `${group}/${version}`;
    return resources.filter((resource) => resource.apiVersion === apiVersion);
  }

  #build(name: string, type: string): Document | undefined {
    const { resources, subresourceKinds } = this.#registry;
    const modules = [...resources, ...subresourceKinds].map(({ module, schema }) => ({ ...module, schema }));
    const others = this.#remote ? remoteVersions(this.#registry, this.#remote) : [];
    if (name === 'v2') {
      const added = others.flatMap(({ openApiV2 }) => openApiV2 ?? []);
      const document = mergeOpenApiV2(buildOpenApiV2(modules, this.#options), added);
      if (type === json) return jsonDocument(document);
      return toDocument(plain(openApiV2ProtobufType), encodeOpenApiV2Protobuf(document));
    }
    if (name === 'v3') {
      const documents = openApiV3Paths(modules).map((path) => ({
        path,
        hash: this.#document(`v3/${path}`, json)?.hash ?? '',
      }));
      const remote = others.flatMap(({ group, version, openApiV3: hash }) =>
        hash === undefined ? [] : [{ path: `apis/${group}/${version}`, hash }],
      );
      return jsonDocument(buildOpenApiV3Index([...documents, ...remote]));
    }
    const document = buildOpenApiV3(name.slice('v3/'.length), modules, this.#options);
    if (!document || type === json) return document && jsonDocument(document);
    // The index always names documents by the hash of their JSON, even for clients that then ask for protobuf.
    const hash = this.#document(name, json)?.hash ?? '';
    return { ...toDocument(plain(openApiV3ProtobufType), encodeOpenApiV3Protobuf(document)), hash };
  }
}

/** An encoded document. */
interface Document {
  readonly contentType: string;
  readonly bytes: Uint8Array;
  readonly hash: string;
}

/** A document, and the resources that it was made from. */
interface KeptDocument {
  readonly document: Document;
  readonly resources: readonly ServedResource[];
  /** The versions of other servers; absent for documents of one version. */
  readonly remote: readonly RemoteVersion[] | undefined;
}

const isSame = (before: readonly ServedResource[], now: readonly ServedResource[]): boolean =>
  before === now || (before.length === now.length && before.every((resource, i) => resource === now[i]));

const json = 'application/json';

/** Returns the media type that newer clients use, without the invalid `@`. */
const plain = (protobufType: string): string => protobufType.replace('@', '.');

const offering = (...types: string[]) => createNegotiator({ types: [json, ...types], allows: () => true });

const negotiateV2 = offering(openApiV2ProtobufType, plain(openApiV2ProtobufType));
const negotiateV3 = offering(openApiV3ProtobufType, plain(openApiV3ProtobufType));
const negotiateIndex = offering();

/** Returns the negotiation of a document; `undefined` if no document has the name. */
function negotiatorOf(name: string): typeof negotiateV2 | undefined {
  if (name === 'v2') return negotiateV2;
  if (name === 'v3') return negotiateIndex;
  return /^v3\/.*[^/]$/.test(name) ? negotiateV3 : undefined;
}

function send(request: ApiRequest, { contentType, bytes, hash }: Document): ApiResponse {
  const headers: Record<string, string> = { vary: 'Accept' };
  const asked = new URLSearchParams(request.search).get('hash');
  if (asked !== null && asked !== hash) {
    const location = `${request.basePath ?? ''}${request.path}?hash=${hash}`;
    const moved = { ...headers, etag: `"${hash}"`, location };
    return { code: 301, contentType: 'text/plain; charset=utf-8', headers: moved, body: Buffer.alloc(0) };
  }
  // A document with its hash in the name never changes, so clients may keep it for a year.
  if (asked !== null) {
    const expires = new Date();
    expires.setUTCFullYear(expires.getUTCFullYear() + 1);
    headers['cache-control'] = 'public, immutable';
    headers.expires = expires.toUTCString();
  }
  return tagged(request, { code: 200, contentType, headers, body: bytes }, hash);
}

const jsonDocument = (document: object): Document => toDocument(json, Buffer.from(encodeOpenApiJson(document)));

const toDocument = (contentType: string, bytes: Uint8Array): Document => ({
  contentType,
  bytes,
  hash: hashOf(bytes),
});
