/** Makes the resource module of one version, for a server that is given definitions instead of generated code. */
import { instantiateExpressions } from '../../runtime/cel/index.js';
import type { Conversion, ProtobufSchema, ResourceCode, ResourceModule } from '../../runtime/contract/index.js';
import { defineConversion } from '../../runtime/schema/index.js';
import { convertedSchemas } from '../model/converted-schemas.js';
import { describeResource } from '../model/describe.js';
import type { ResourceModel, VersionModel } from '../model/model.js';

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
