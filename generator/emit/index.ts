/** The emitters, in the order in which they run. */

import { barrelEmitter } from './client/barrel.js';
import { clientEmitter } from './client/client.js';
import type { Emitter } from './emitter.js';
import { conversionEmitter } from './functions/conversion.js';
import { rulesEmitter } from './functions/rules.js';
import { createOpenApiEmitter } from './openapi.js';
import { createProtoEmitter } from './protobuf/proto.js';
import { createProtobufEmitter } from './protobuf/protobuf.js';
import { createReferenceEmitter } from './reference/reference.js';
import { registryEmitter } from './registry.js';
import { resourceEmitter } from './resource.js';
import { schemaEmitter } from './schema/schema.js';
import { typesEmitter } from './types/types.js';

/** Every kind of output that `generate` writes. */
export const emitters: readonly Emitter[] = [
  typesEmitter,
  schemaEmitter,
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
