/** One operation of an OpenAPI document, whichever version of OpenAPI it is written in. */
import type { GroupVersionKind, HttpMethod } from './document.js';
import type { OpenApiNaming } from './naming.js';
import type { Parameter } from './parameters.js';
import type { OpenApiResource } from './resource.js';

/** One operation: a method on a path. */
export interface Route {
  readonly path: string;
  readonly method: HttpMethod;
  readonly operationId: string;
  readonly tag: string;
  readonly description: string;
  /** As `x-kubernetes-action` says; absent for discovery. */
  readonly action?: string;
  readonly gvk?: GroupVersionKind;
  readonly parameters: readonly Parameter[];
  /** Id of the body's definition, and the versions of OpenAPI that say it is required. */
  readonly body?: { readonly definition: string; readonly requiredIn: readonly (2 | 3)[] };
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly answers: readonly Answer[];
}

/** An answer that the operation may give. */
export interface Answer {
  readonly code: '200' | '201' | '202';
  /** Id of the definition; absent for a text. */
  readonly definition?: string;
}

/** All routes of one resource share these. */
export interface RouteContext {
  readonly resource: OpenApiResource;
  readonly naming: OpenApiNaming;
  readonly gvk: GroupVersionKind;
  readonly tag: string;
  /** Group and version, as operation ids hold them: `StorageV1`. */
  readonly idPart: string;
  readonly name: Parameter;
  readonly object: string;
  readonly mediaTypes: readonly string[];
}
