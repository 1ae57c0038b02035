/** Reads OpenAPI v3 documents of a server, one for each group version, and keeps them. */
import { inTime } from '../connection/in-time.js';
import { isNotFound } from '../errors.js';
import { type Requester, requestObject } from '../requests.js';
import type { RequestOptions } from '../resource/options.js';
import type { OpenApiSchema } from './open-api-schema.js';
import type { ServedKind } from './types.js';

/** The schemas of a document by name. */
export type Schemas = Readonly<Record<string, OpenApiSchema>>;

/** The schema of a kind, and the schemas of the same document. */
export interface KindSchema {
  readonly schema: OpenApiSchema;
  readonly schemas: Schemas;
}

interface Index {
  readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
}

/** Maximum age of the index, in milliseconds. The index says whether a document is current. */
const indexMaxAgeMs = 10_000;

/** Keeps each document until the server replaces it. */
export class SchemaDocuments {
  readonly #requester: Requester;
  readonly #documents = new Map<string, { readonly url: string; readonly schemas: Promise<Schemas> }>();
  #index: { readonly paths: Promise<Index['paths']>; readonly asked: number } | undefined;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** Makes the next call ask the server. */
  forget(): void {
    this.#index = undefined;
  }

  /**
   * Returns the schema of a kind. Returns `undefined` if the server has no document for the kind's version, or if the
   * kind is not in it.
   */
  async schemaOf(kind: ServedKind, options: RequestOptions = {}): Promise<KindSchema | undefined> {
    const root = kind.group === '' ? `api/${kind.version}` : `apis/${kind.group}/${kind.version}`;
    const url = (await inTime(this.#paths(), options, 'which schemas there are'))[root]?.serverRelativeURL;
    if (url === undefined) return undefined;
    const schemas = await inTime(this.#schemas(root, url), options, url);
    const schema = Object.values(schemas).find((one) => one['x-kubernetes-group-version-kind']?.some(isOf(kind)));
    return schema && { schema, schemas };
  }

  /** Returns the paths of the documents; none for a server without OpenAPI v3. */
  #paths(): Promise<Index['paths']> {
    if (this.#index !== undefined && Date.now() - this.#index.asked < indexMaxAgeMs) return this.#index.paths;
    const paths = this.#read<Index>('/openapi/v3').then(
      (index) => index.paths,
      (error: unknown) => {
        this.#index = undefined;
        if (isNotFound(error)) return {};
        throw error;
      },
    );
    this.#index = { paths, asked: Date.now() };
    return paths;
  }

  #schemas(root: string, url: string): Promise<Schemas> {
    const known = this.#documents.get(root);
    if (known?.url === url) return known.schemas;
    const schemas = this.#read<{ components?: { schemas?: Schemas } }>(url).then(
      ({ components }) => components?.schemas ?? {},
      (error: unknown) => {
        this.#documents.delete(root);
        throw error;
      },
    );
    this.#documents.set(root, { url, schemas });
    return schemas;
  }

  #read<T>(path: string): Promise<T> {
    return requestObject<T>(this.#requester, { method: 'GET', path });
  }
}

const isOf =
  ({ group, version, kind }: ServedKind) =>
  (one: { readonly group: string; readonly version: string; readonly kind: string }): boolean =>
    one.group === group && one.version === version && one.kind === kind;
