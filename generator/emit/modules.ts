/** Makes resource modules straight from definitions, for a server that is given YAML instead of generated code. */

import { instantiateExpressions } from '../../runtime/cel/index.js';
import type {
  Conversion,
  JsonObject,
  ProtobufSchema,
  ResourceCode,
  ResourceModule,
} from '../../runtime/contract/index.js';
import { defineConversion } from '../../runtime/schema/index.js';
import { get, string } from '../../runtime/schema/read.js';
import { typeSchemas } from '../lock/plan-model.js';
import { protobufOf } from '../lock/protobuf-schema.js';
import { convertedSchemas } from '../model/conversion.js';
import { readCustomResource } from '../model/custom-resource.js';
import { describeResource } from '../model/describe.js';
import type { Model, ResourceModel, VersionModel } from '../model/model.js';

// Makes the resource module of one version, for a server that is given definitions instead of generated code.

/** Nothing is compiled before it is asked for: few kinds are used at once. */
export const moduleOf = (
  resource: ResourceModel,
  version: VersionModel,
  protobuf: ProtobufSchema | undefined,
): ResourceModule => {
  let code: ResourceCode | undefined;
  return {
    ...describeResource(resource, version),
    code: () => {
      code ??= codeOf(resource, version, protobuf);
      return code;
    },
  };
};

function codeOf(resource: ResourceModel, version: VersionModel, protobuf: ProtobufSchema | undefined): ResourceCode {
  const steps = version.conversion?.steps ?? [];
  return {
    schema: version.schema,
    ...(steps.length === 0 ? {} : { conversion: conversionOf(resource, version) }),
    ...(protobuf === undefined ? {} : { protobuf }),
  };
}

function conversionOf(resource: ResourceModel, version: VersionModel): Conversion {
  const steps = version.conversion?.steps ?? [];
  return defineConversion(steps, instantiateExpressions(steps, convertedSchemas(resource, version)));
}

/** The module of every version of every resource, in the model's order: what the generated registry would hold. */
export const modulesOf = (model: Model): readonly ResourceModule[] => {
  const types = typeSchemas(model);
  return model.resources.flatMap((resource) =>
    resource.versions.map((version) =>
      moduleOf(resource, version, protobufOf(resource, version, types, model.protobuf)),
    ),
  );
};

/**
 * The module of every version of a definition, which the server has found valid before it stored it. What it says is
 * read as that of a file would be.
 */
export function modulesOfCustomResource(definition: JsonObject): readonly ResourceModule[] {
  const name = string(get(get(definition, 'metadata'), 'name')) ?? '';
  const resource = readCustomResource(definition, { path: name, hash: '' });
  return resource.versions.map((version) => moduleOf(resource, version, undefined));
}
