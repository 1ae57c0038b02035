/** The door through which verbs show what requests carry to those who record it. */
import type { ApiObject, JsonObject } from '../contract/index.js';
import type { ApiRequest } from './api-request.js';

/** Takes what requests carry, once it is read and before anything is done with it. Nothing of it is kept but text. */
export interface BodyRecorder {
  /** An object that is created or replaces another, with its defaults. `typed` is whether its kind is a built-in one. */
  object(request: ApiRequest, object: ApiObject, typed: boolean): void;
  /** The bytes of a patch. */
  patch(request: ApiRequest, bytes: Uint8Array): void;
  /** A configuration to apply. */
  configuration(request: ApiRequest, configuration: JsonObject): void;
  /** The options of a delete that come in its body. */
  deletion(request: ApiRequest, options: JsonObject): void;
}
