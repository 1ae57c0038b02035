/** Makes resource modules straight from definitions, for a server that is given YAML instead of generated code. */
import type { ResourceModule } from '../../runtime/contract/index.js';
import { typeSchemas } from '../lock/plan-model.js';
import { protobufOf } from '../lock/protobuf-schema.js';
import type { Model } from '../model/model.js';
import { moduleOf } from './module-of.js';

/** The module of every version of every resource, in the model's order: what the generated registry would hold. */
export const modulesOf = (model: Model): readonly ResourceModule[] => {
  const types = typeSchemas(model);
  return model.resources.flatMap((resource) =>
    resource.versions.map((version) =>
      moduleOf(resource, version, protobufOf(resource, version, types, model.protobuf)),
    ),
  );
};
