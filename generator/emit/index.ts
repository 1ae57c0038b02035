/** The emitters, in the order in which they run. */
import { barrelEmitter, registryEmitter } from './barrel.js';
import { clientEmitter } from './client.js';
import { conversionEmitter } from './conversion.js';
import type { Emitter } from './emitter.js';
import { handlersEmitter } from './handlers.js';
import { createOpenApiEmitter } from './openapi.js';
import { protoEmitter } from './proto.js';
import { referenceEmitter } from './reference.js';
import { resourceEmitter, rulesEmitter } from './resource.js';
import { schemaEmitter } from './schema.js';
import { typesEmitter } from './types/types.js';
import { validatorEmitter } from './validator.js';

/** Every kind of output that programs read. */
export const codeEmitters: readonly Emitter[] = [
  typesEmitter,
  schemaEmitter,
  rulesEmitter,
  conversionEmitter,
  resourceEmitter,
  handlersEmitter,
  validatorEmitter,
  clientEmitter,
  registryEmitter,
  barrelEmitter,
  createOpenApiEmitter(),
  protoEmitter,
];

/** Every kind of output that `generate` writes into a project, including pages for people. */
export const emitters: readonly Emitter[] = [...codeEmitters, referenceEmitter];
