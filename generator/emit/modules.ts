/** Makes resource modules from definitions, for a server that gets YAML instead of generated code. */
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

/** Returns the module of every version of every resource, in the model's order, as the generated registry has them. */
export const modulesOf = (model: Model): readonly ResourceModule[] => {
  const types = typeSchemas(model);
  return model.resources.flatMap((resource) =>
    resource.versions.map((version) =>
      moduleOf(resource, version, protobufOf(resource, version, types, model.protobuf)),
    ),
  );
};

/**
 * Returns the module of every version of a CustomResourceDefinition. The server has validated it; it is read like a
 * file.
 */
export function modulesOfCustomResource(definition: JsonObject): readonly ResourceModule[] {
  const name = string(get(get(definition, 'metadata'), 'name')) ?? '';
  const resource = readCustomResource(definition, { path: name, hash: '' });
  return resource.versions.map((version) => moduleOf(resource, version, undefined));
}

/** Makes the module of one version. Compiles nothing before its first use, because a server uses few kinds at once. */
const moduleOf = (
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
