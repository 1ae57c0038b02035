/** The emitters, in the order in which they run. */
import type { Emitter } from '../model/model.js';
import { barrelEmitter } from './barrel.js';
import { clientEmitter } from './client.js';
import { conversionEmitter } from './conversion.js';
import { createFunctionsEmitter } from './functions.js';
import { createOpenApiEmitter } from './openapi.js';
import { createProtoEmitter } from './proto.js';
import { createProtobufEmitter } from './protobuf.js';
import { createReferenceEmitter } from './reference.js';
import { registryEmitter } from './registry.js';
import { resourceEmitter } from './resource.js';
import { rulesEmitter } from './rules.js';
import { schemaEmitter } from './schema.js';
import { typesEmitter } from './types.js';

/** Every kind of output that `generate` writes. */
export const emitters: readonly Emitter[] = [
  typesEmitter,
  schemaEmitter,
  createFunctionsEmitter(),
  rulesEmitter,
  conversionEmitter,
  resourceEmitter,
  clientEmitter,
  registryEmitter,
  barrelEmitter,
  createOpenApiEmitter(),
  createProtoEmitter(),
  createProtobufEmitter(),
  createReferenceEmitter(),
];
