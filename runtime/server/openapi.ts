/** Serves the OpenAPI documents: built when first asked for, kept as bytes, with ETags. */
import { createHash } from 'node:crypto';
import { encodeOpenApiV2Protobuf, openApiV2ProtobufType } from '../codec/protobuf/openapi-v2.js';
import {
  buildOpenApiV2,
  buildOpenApiV3,
  buildOpenApiV3Index,
  encodeOpenApiJson,
  type OpenApiOptions,
  openApiV3Paths,
} from '../schema/openapi/index.js';
import type { Answer, ApiRequest } from '../verbs/exchange.js';
import { textNotFound } from './plain-answers.js';
import type { Registry } from './registry.js';

/** A document as it is sent. */
interface Document {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** SHA-512 of the bytes, hexadecimal and in upper case as the reference has it. */
  readonly hash: string;
}

/** The documents of one registry. */
export class OpenApiDocuments {
  readonly #registry: Registry;
  readonly #options: OpenApiOptions;
  readonly #documents = new Map<string, Document | undefined>();

  constructor(registry: Registry, options: OpenApiOptions) {
    this.#registry = registry;
    this.#options = options;
  }

  /** Answers a path below `/openapi/`. */
  answer(request: ApiRequest): Answer {
    const path = request.path.replace(/\/$/, '');
    if (path === '/openapi/v2') return this.#send(request, wantsProtobuf(request) ? 'v2.pb' : 'v2');
    if (path === '/openapi/v3') return this.#send(request, 'v3');
    if (path.startsWith('/openapi/v3/')) return this.#send(request, path.slice('/openapi/'.length));
    return textNotFound();
  }

  #send(request: ApiRequest, name: string): Answer {
    const document = this.#document(name);
    if (!document) return textNotFound();
    const headers: Record<string, string> = { etag: `"${document.hash}"`, vary: 'Accept' };
    const asked = new URLSearchParams(request.search).get('hash');
    if (asked !== null && asked !== document.hash) {
      const location = `${request.path}?hash=${document.hash}`;
      return {
        code: 301,
        contentType: 'text/plain; charset=utf-8',
        headers: { ...headers, location },
        body: Buffer.alloc(0),
      };
    }
    // A document that is named by its hash never changes under that name.
    if (asked !== null) headers['cache-control'] = 'public, immutable';
    if (request.headers['if-none-match'] === headers.etag) {
      return { code: 304, contentType: document.contentType, headers, body: Buffer.alloc(0) };
    }
    return { code: 200, contentType: document.contentType, headers, body: document.bytes };
  }

  #document(name: string): Document | undefined {
    if (!this.#documents.has(name)) this.#documents.set(name, this.#build(name));
    return this.#documents.get(name);
  }

  #build(name: string): Document | undefined {
    const modules = this.#registry.resources.map(({ module }) => module);
    if (name === 'v2') return encodeJson(buildOpenApiV2(modules, this.#options));
    if (name === 'v2.pb') {
      const bytes = encodeOpenApiV2Protobuf(buildOpenApiV2(modules, this.#options));
      return toDocument(bytes, 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf');
    }
    if (name === 'v3') {
      const documents = openApiV3Paths(modules).map((path) => ({
        path,
        hash: this.#document(`v3/${path}`)?.hash ?? '',
      }));
      return encodeJson(buildOpenApiV3Index(documents));
    }
    const document = buildOpenApiV3(name.slice('v3/'.length), modules, this.#options);
    return document && encodeJson(document);
  }
}

/** Older clients read the v2 document as Protobuf only. */
function wantsProtobuf({ headers: { accept } }: ApiRequest): boolean {
  return typeof accept === 'string' && accept.includes(openApiV2ProtobufType);
}

const encodeJson = (document: OpenApiDocument): Document =>
  toDocument(Buffer.from(encodeOpenApiJson(document)), 'application/json');

const toDocument = (bytes: Uint8Array, contentType: string): Document => ({
  bytes,
  contentType,
  hash: createHash('sha512').update(bytes).digest('hex').toUpperCase(),
});

type OpenApiDocument = Parameters<typeof encodeOpenApiJson>[0];
