/** The client of a subresource: each method is one request. */

import { extract } from '../extract.js';
import type { ObjectRequest } from '../requests.js';
import type { ApiObjectLike } from '../types.js';
import type { ApplyOptions, RequestOptions, WriteOptions } from './options.js';
import { applyParts, optionParts, writeParts } from './parameters.js';

/** The requests of the resource that has the subresource. */
export interface Owner {
  pathOf(object: unknown): string;
  pathTo(name: string): string;
  /** Adds the resource's kind to an object. */
  enveloped(object: unknown): object;
  /** Sends a write, and reports it to observers of the resource. The answer may lack the name. */
  write(request: ObjectRequest, options?: { readonly dryRun?: boolean }, name?: string): Promise<unknown>;
  read(request: ObjectRequest): Promise<unknown>;
}

export const mergePatchType = 'application/merge-patch+json';
export const jsonPatchType = 'application/json-patch+json';
export const applyType = 'application/apply-patch+yaml';

/** Subresources with a kind of their own. The object has the kind, or the path implies it. */
const withKindOfTheirOwn = new Set(['scale', 'eviction', 'token', 'binding']);

/** All methods that a subresource may have. Its type says which ones it has. */
export class RemoteSubresource {
  readonly #owner: Owner;
  readonly #name: string;

  constructor(owner: Owner, name: string) {
    this.#owner = owner;
    this.#name = name;
  }

  async get(name: string, options?: RequestOptions): Promise<unknown> {
    return this.#owner.read({ method: 'GET', path: this.#owner.pathTo(name), ...optionParts(options) });
  }

  async update(object: unknown, options?: WriteOptions): Promise<unknown> {
    const body = this.#sent(object);
    const path = this.#owner.pathOf(object);
    return this.#owner.write({ method: 'PUT', path, body, ...writeParts(options) }, options);
  }

  async patch(name: string, change: unknown, options?: WriteOptions): Promise<unknown> {
    return this.#patch(name, mergePatchType, change, options);
  }

  async jsonPatch(name: string, operations: unknown, options?: WriteOptions): Promise<unknown> {
    return this.#patch(name, jsonPatchType, operations, options);
  }

  async apply(configuration: unknown, options: ApplyOptions): Promise<unknown> {
    const body = this.#sent(configuration);
    const path = this.#owner.pathOf(configuration);
    return this.#owner.write({ method: 'PATCH', path, body, contentType: applyType, ...applyParts(options) }, options);
  }

  extract(object: ApiObjectLike, manager: string): unknown {
    return extract(object, manager, this.#name);
  }

  /** Sends a new object. Its apiVersion and kind are optional, because the path has them. */
  async create(name: string, object: unknown = {}, options?: WriteOptions): Promise<unknown> {
    const body = this.#name === 'eviction' ? named(object, name) : object;
    const request: ObjectRequest = { method: 'POST', path: this.#owner.pathTo(name), body, ...writeParts(options) };
    return this.#owner.write(request, options, name);
  }

  #patch(name: string, contentType: string, body: unknown, options?: WriteOptions): Promise<unknown> {
    const path = this.#owner.pathTo(name);
    return this.#owner.write({ method: 'PATCH', path, body, contentType, ...writeParts(options) }, options);
  }

  #sent(object: unknown): unknown {
    return withKindOfTheirOwn.has(this.#name) ? object : this.#owner.enveloped(object);
  }
}

/** Adds the name of the pod to an eviction. */
function named(object: unknown, name: string): unknown {
  if (typeof object !== 'object' || object === null) return object;
  const metadata: unknown = 'metadata' in object ? object.metadata : {};
  return { ...object, metadata: { name, ...(typeof metadata === 'object' ? metadata : {}) } };
}
