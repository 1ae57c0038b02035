/** Recognizes the parts that a project adds: emitters, handlers, plugins, controllers. */
import type { Controller } from '../../../controllers/kit/index.js';
import type { Emitter } from '../../../generator/index.js';
import type { AdmissionPlugin, Authenticator, Authorizer, KindHandlers } from '../../../runtime/contract/index.js';
import { isObject } from '../../../runtime/objects/guards.js';
import type { PartKind } from '../settings.js';

/** The types of parts by their kinds. */
export interface PartTypes {
  readonly emitter: Emitter;
  readonly handlers: KindHandlers;
  readonly admissionPlugin: AdmissionPlugin;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly controller: Controller;
}

type Guards = { readonly [K in PartKind]: (value: unknown) => value is PartTypes[K] };

const hasText = (value: unknown, key: string): boolean =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, key) === 'string';

const hasObject = (value: unknown, key: string): boolean =>
  typeof value === 'object' && value !== null && isObject(Reflect.get(value, key));

const hasFunction = (value: unknown, ...keys: readonly string[]): boolean =>
  typeof value === 'object' && value !== null && keys.some((key) => typeof Reflect.get(value, key) === 'function');

/** Whether a value is a part, as far as that can be told without using it. */
export const isPart: Guards = {
  emitter: (value): value is Emitter => hasText(value, 'name') && hasFunction(value, 'emitResource', 'emitModel'),
  handlers: (value): value is KindHandlers => hasObject(value, 'resource'),
  admissionPlugin: (value): value is AdmissionPlugin => hasText(value, 'name') && hasFunction(value, 'handles'),
  authenticator: (value): value is Authenticator => hasText(value, 'name') && hasFunction(value, 'authenticate'),
  authorizer: (value): value is Authorizer => hasText(value, 'name') && hasFunction(value, 'decide'),
  controller: (value): value is Controller => hasText(value, 'name') && hasFunction(value, 'run'),
};

/** The words for a part that was expected. */
export const partWords: Readonly<Record<PartKind, string>> = {
  emitter: 'an emitter: an object with a name, and emitResource or emitModel',
  handlers: 'handlers of a kind, as the define…Handlers of its generated code returns them',
  admissionPlugin: 'an admission plugin: an object with a name, handles, and admit or validate',
  authenticator: 'an authenticator: an object with a name and authenticate',
  authorizer: 'an authorizer: an object with a name and decide',
  controller: 'a controller, as defineController of kindforge/client/node makes them',
};
